import type { Entry, TaskLine } from '../store/shapes.ts'

/** The facts about a request that its row shows. */
export interface RequestFacts {
  prompt: string
  model: string
  task: string | undefined
}

/** Prompt and model as the request has them, or those of its task. */
export function factsOf(entry: Entry, tasks: ReadonlyMap<string, TaskLine>): RequestFacts {
  const task = entry.task_id ?? entry.task_ids?.[0]
  const line = task === undefined ? undefined : tasks.get(task)
  return {
    prompt: promptIn(entry.request.body) || (line?.prompt ?? ''),
    model: modelIn(entry) ?? line?.model ?? '',
    task,
  }
}

function modelIn({ request: { body }, path }: Entry): string | undefined {
  const { model } = (typeof body === 'object' && body !== null ? body : {}) as { model?: unknown }
  if (typeof model === 'string') return model
  const inPath = /^\/image-to-video\/([^/?]+)/.exec(path)?.[1]
  return inPath && decodeURIComponent(inPath)
}

/** The first text under a key that prompts use, at any depth. */
function promptIn(value: unknown): string {
  if (typeof value !== 'object' || value === null) return ''
  for (const [key, entry] of Object.entries(value)) {
    const found =
      typeof entry === 'string' ? (key === 'prompt' || key === 'text' ? entry : '') : promptIn(entry)
    if (found !== '') return found
  }
  return ''
}
