import { downloadOperation } from '../../emulator/words.ts'
import type { RequestView, TaskView } from '../../kits/views.ts'
import type { WorldObservation } from '../plan/observe.ts'
import { cameWhole } from './fetched-parts.ts'

export interface Results {
  /** Tasks whose success the program could read in a reply. */
  seen: readonly string[]
  /** Tasks whose link to a file the program could read in a reply. */
  linked: readonly string[]
  /** Tasks whose pictures stood in a reply that the program could read. */
  given: readonly string[]
  /** Of these tasks, those that are only steps on the way to others. */
  steps: readonly string[]
  /** Of these tasks, those of which no file was fetched, although files of others that the same operation made were. */
  spare: readonly string[]
  /** Files that arrived completely, by path. */
  fetched: readonly string[]
  /** The last download of each file that did not arrive completely. */
  broken: readonly RequestView[]
  /** Tasks that were charged in the end. */
  paid: readonly string[]
  settled: number
}

/** What a world shows of results. */
type Shown = Pick<WorldObservation, 'requests' | 'tasks' | 'settled'>

/**
 * Counts the results of a run, from the journal and the tasks of its world. Tasks that `stepping` operations made are steps, which
 * nobody misses once the program has learned of their success.
 */
export function resultsOf(
  { requests, tasks, settled }: Shown,
  stepping: ReadonlySet<string> = new Set(),
): Results {
  const isStep = (task: TaskView) => stepping.has(createOf(task, requests)?.operation ?? '')
  const downloads = requests.filter(
    ({ operation, method }) => operation === downloadOperation && method === 'GET',
  )
  const paths = [...new Set(downloads.map(pathOf))]
  const fetched = paths.filter(path => cameWhole(downloads.filter(one => pathOf(one) === path)))
  const shownWith = (textOf: (task: TaskView) => string) =>
    tasks
      .filter(task =>
        repliesOf(task, requests).some(({ response }) =>
          JSON.stringify(response.body ?? '').includes(textOf(task)),
        ),
      )
      .map(({ id }) => id)
  const made = (task: TaskView) => createOf(task, requests)?.operation
  const isFetched = ({ id }: TaskView) => fetched.some(path => path.includes(`/${id}/`))
  const fetching = new Set(tasks.filter(isFetched).map(made))
  const given = shownWith(() => '"b64_json":')
  const isSpare = (task: TaskView) =>
    fetching.has(made(task)) && !isFetched(task) && !given.includes(task.id) && !isStep(task)
  return {
    seen: tasks.filter(task => repliesOf(task, requests).length > 0).map(({ id }) => id),
    // The journal masks the signature of a link and keeps its path, in which the id of the task stands.
    linked: shownWith(({ id }) => `/${id}/`),
    given,
    steps: tasks.filter(isStep).map(({ id }) => id),
    spare: tasks.filter(isSpare).map(({ id }) => id),
    fetched,
    broken: paths
      .filter(path => !fetched.includes(path))
      .flatMap(path => downloads.findLast(one => pathOf(one) === path) ?? []),
    paid: tasks.filter(({ charges }) => charges.some(({ kind }) => kind === 'settled')).map(({ id }) => id),
    settled,
  }
}

/**
 * The operations whose tasks the program only uses to make others: each of them stands by its id or its text in the request of a later
 * task, and no file of it was fetched.
 */
export function steppingOperations(shown: Shown): ReadonlySet<string> {
  const { requests, tasks } = shown
  const { fetched } = resultsOf(shown)
  const bodies = tasks.map(({ request }) => JSON.stringify(request ?? ''))
  const isUsed = (task: TaskView, later: readonly string[]) => {
    const texts = [task.id, ...requests.flatMap(request => textsMadeBy(task, request))]
    return later.some(body => texts.some(text => body.includes(text)))
  }
  const used = tasks.filter(
    (task, index) =>
      !fetched.some(path => path.includes(`/${task.id}/`)) && isUsed(task, bodies.slice(index + 1)),
  )
  const made = (task: TaskView) => createOf(task, requests)?.operation ?? ''
  return new Set(
    used.map(made).filter(operation => tasks.every(task => made(task) !== operation || used.includes(task))),
  )
}

/** The texts and ids that a reply gives as the result of a task, as JSON spells them. */
function textsMadeBy({ id }: TaskView, request: RequestView): string[] {
  if (!concerns(request, id)) return []
  const texts = JSON.stringify(request.response.body ?? '').matchAll(
    /"(?:prompt|voice_id|element_id)":"?((?:[^"\\,}]|\\.)+)/g,
  )
  return [...texts].flatMap(([, text]) => text ?? [])
}

export function createOf(
  { id, request_id }: TaskView,
  requests: readonly RequestView[],
): RequestView | undefined {
  return requests.find(request => request.task_id === id && request.request_id === request_id)
}

/** How many results of a kind a run has, without steps. */
export function countOf(results: Results, kind: 'linked' | 'seen'): number {
  return results[kind].filter(id => !results.steps.includes(id)).length
}

/**
 * What the undisturbed run needed. A program that fetches files itself needed nothing of a task that it let lie: it may make two and take the
 * first that succeeds.
 */
export function needed(before: Results): Results {
  const isNeeded = (id: string) => !before.spare.includes(id)
  return { ...before, seen: before.seen.filter(isNeeded), linked: before.linked.filter(isNeeded) }
}

/** How many results a run lacks that another one needed: files, links, or news of success. */
export function lackingIn(now: Results, before: Results): number {
  const kinds = ['fetched', 'linked', 'seen'] as const
  return Math.max(0, ...kinds.map(kind => needed(before)[kind].length - now[kind].length))
}

/** Whether a program has the result of a task. One that `fetches` nothing itself needs the link; of a step it needs to know. */
export function hasResult(
  task: TaskView,
  { fetched, given, linked, seen, steps }: Results,
  fetches: boolean,
): boolean {
  if (steps.includes(task.id) || task.media.every(({ url }) => url === null)) return seen.includes(task.id)
  if (given.includes(task.id)) return true
  return fetches ? fetched.some(path => path.includes(`/${task.id}/`)) : linked.includes(task.id)
}

/** The replies about a task that came after its success and that the program could read. */
function repliesOf(task: TaskView, requests: readonly RequestView[]): RequestView[] {
  const end = task.timeline.find(step => step.state === 'succeeded' && 'from' in step)
  if (!end) return []
  const succeededAt = Date.parse(end.at)
  return requests.filter(
    request =>
      request.at_ms >= succeededAt &&
      request.operation !== downloadOperation &&
      concerns(request, task.id) &&
      isReadable(request),
  )
}

/** Whether the program could read the reply: it was sent whole, and is what the service said. */
export function isReadable({ status, reply_lost, broken }: RequestView): boolean {
  return status === 200 && reply_lost !== true && broken === undefined
}

export function concerns({ task_id, task_ids }: RequestView, id: string): boolean {
  return task_id === id || (task_ids?.includes(id) ?? false)
}

/** Whether a call is about a task, also one that was refused before anybody looked for the task. */
export function isAbout(request: RequestView, id: string): boolean {
  return request.path.includes(id) || concerns(request, id)
}

export function pathOf({ path }: RequestView): string {
  return path.split('?', 1)[0] ?? path
}
