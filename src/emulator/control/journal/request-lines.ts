import type { RequestLine } from '../../../kits/views.ts'
import type { Entry } from '../../worlds/journal.ts'
import type { World } from '../../worlds/world.ts'
import { promptOf } from '../tasks/prompt.ts'
import { entryFactsView, seenBy } from './entry-view.ts'

/** Equal polls of one task, newest first; any other request alone. */
type Fold = [Entry, ...Entry[]]

/** At least this many equal polls in a row become one line, as in a story. */
const manyAlike = 3

/**
 * Polls of one task that follow each other with the same answer become one, at the place of the newest; polls of other tasks between
 * them make no difference. Newest first.
 */
export function folded(world: World, newestFirst: readonly Entry[]): Fold[] {
  const folds: Fold[] = []
  const open = new Map<string, { answer: string; fold: Fold }>()
  for (const entry of newestFirst) {
    // A poll that a rule refused names no task, but has the address of the others.
    const place = `${entry.account} ${entry.url}`
    const answer = answerOf(world, entry)
    const before = open.get(place)
    if (entry.method === 'GET' && entry.operation.endsWith('.get') && before?.answer === answer) {
      before.fold.push(entry)
      continue
    }
    const fold: Fold = [entry]
    open.set(place, { answer, fold })
    folds.push(fold)
  }
  return folds
    .flatMap(fold => (fold.length < manyAlike ? fold.map((one): Fold => [one]) : [fold]))
    .sort(([one], [other]) => other.id - one.id)
}

function answerOf(world: World, entry: Entry): string {
  const { operation, status, broken, fault, rule, taskIds = [] } = entry
  const task = world.state.tasks.get(taskIds[0] ?? '')
  return [operation, status, broken, fault, rule, task && seenBy(task, entry).status].join()
}

/** The line of a fold: the facts of its newest request, without headers and bodies. */
export function requestLine(world: World, fold: Fold): RequestLine {
  const [entry] = fold
  const task = world.state.tasks.get(entry.taskIds?.[0] ?? '')
  const sent = parsed(entry.requestBody)
  const [inPath] = /(?<=^\/image-to-video\/)[^/?]+/.exec(entry.url) ?? []
  const { model = inPath ?? task?.model } = sent as { model?: unknown }
  return {
    ...entryFactsView(world, entry),
    prompt: (promptOf(sent) || promptOf(parsed(task?.request))).slice(0, 160),
    model: typeof model === 'string' ? model : '',
    ids: fold.map(({ id }) => id),
    within_ms: entry.at - (fold.at(-1) ?? entry).at,
  }
}

function parsed(text = ''): object {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}
