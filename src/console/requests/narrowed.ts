import { promptOf } from '../../emulator/page.ts'
import type { RequestFilter, RequestView, TaskLine } from '../../kits/views.ts'
import { hasWords, wordsOf } from '../parts/lists.ts'

export type Kind = 'all' | 'refused' | 'broken' | 'by a rule' | 'unread fields'

/** Which requests are of a kind, and the word with which the emulator searches them. */
export const kinds: Readonly<
  Record<Kind, { asked?: NonNullable<RequestFilter['kind']>; fits(entry: RequestView): boolean }>
> = {
  all: { fits: () => true },
  refused: { asked: 'refused', fits: ({ status }) => status >= 400 },
  broken: { asked: 'broken', fits: ({ status, broken }) => broken !== undefined || status === 0 },
  'by a rule': { asked: 'rule', fits: ({ rule }) => rule !== undefined },
  'unread fields': { asked: 'unread', fits: ({ unread }) => unread !== undefined },
}

/** The filters of the list. They are in the address, so that a link keeps them and they survive a reload. */
export interface Filters {
  kind: Kind
  search: string
  /** Whether equal polls in a row are one row. */
  polls: 'folded' | 'all'
}

export function readFilters(query: URLSearchParams): Filters {
  const kind = query.get('kind') ?? 'all'
  return {
    kind: Object.hasOwn(kinds, kind) ? (kind as Kind) : 'all',
    search: query.get('q') ?? '',
    polls: query.get('polls') === 'all' ? 'all' : 'folded',
  }
}

/** The filters as a query for the address; defaults are left out. */
export function queryOf({ kind, search, polls }: Filters): Record<string, string> {
  return {
    ...(kind !== 'all' && { kind }),
    ...(search !== '' && { q: search }),
    ...(polls === 'all' && { polls }),
  }
}

/** The requests of a kind that contain every word: in ids, address, operation, account, status, causes, prompt or model. */
export function matching(
  entries: readonly RequestView[],
  { kind, search }: Filters,
  tasks: ReadonlyMap<string, TaskLine>,
): readonly RequestView[] {
  const words = wordsOf(search)
  if (kind === 'all' && words.length === 0) return entries
  return entries.filter(
    entry => kinds[kind].fits(entry) && (words.length === 0 || hasWords(textOf(entry, tasks), words)),
  )
}

function textOf(entry: RequestView, tasks: ReadonlyMap<string, TaskLine>): string {
  const { method, path, operation, task_id = '', account, status, request_id, fault = '', rule = '' } = entry
  const { prompt, model } = factsOf(entry, tasks)
  return `${method} ${path} ${operation} ${task_id} ${request_id} ${account ?? ''} ${status} ${fault} ${rule} ${prompt} ${model}`
}

/** The facts about a request that its row shows. */
export interface RequestFacts {
  prompt: string
  model: string
  task: string | undefined
}

/** Prompt and model as the request has them, or those of its task. */
export function factsOf(entry: RequestView, tasks: ReadonlyMap<string, TaskLine>): RequestFacts {
  const task = entry.task_id ?? entry.task_ids?.[0]
  const line = task === undefined ? undefined : tasks.get(task)
  return {
    prompt: promptOf(entry.request.body) || (line?.prompt ?? ''),
    model: modelIn(entry) ?? line?.model ?? '',
    task,
  }
}

function modelIn({ request: { body }, path }: RequestView): string | undefined {
  const { model } = (typeof body === 'object' && body !== null ? body : {}) as { model?: unknown }
  if (typeof model === 'string') return model
  const inPath = /^\/image-to-video\/([^/?]+)/.exec(path)?.[1]
  return inPath && decodeURIComponent(inPath)
}
