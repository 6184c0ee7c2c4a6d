import type { RequestView, TaskView } from '../../client/types.ts'
import { downloadOperation } from '../../scenarios/operations.ts'
import type { Observed } from '../plan/observe.ts'
import { cameWhole } from './fetched-parts.ts'

/** The results of a run. */
export interface Results {
  /** Tasks whose success the program could read in a reply. */
  seen: readonly string[]
  /** Tasks whose link to a file the program could read in a reply. */
  linked: readonly string[]
  /** Files that arrived completely, by path. */
  fetched: readonly string[]
  /** Files that arrived only in a broken form, by path. */
  broken: readonly string[]
  /** Tasks that were charged in the end. */
  paid: readonly string[]
  settled: number
}

/** Counts the results of a run, from the journal and the tasks of its world. */
export function resultsOf({
  requests,
  tasks,
  settled,
}: Pick<Observed, 'requests' | 'tasks' | 'settled'>): Results {
  const downloads = requests.filter(
    ({ operation, method }) => operation === downloadOperation && method === 'GET',
  )
  const paths = [...new Set(downloads.map(pathOf))]
  const fetched = paths.filter(path => cameWhole(downloads.filter(one => pathOf(one) === path)))
  return {
    seen: tasks.filter(task => repliesOf(task, requests).length > 0).map(({ id }) => id),
    linked: tasks
      .filter(task => repliesOf(task, requests).some(reply => showsLink(reply, task)))
      .map(({ id }) => id),
    fetched,
    broken: paths.filter(path => !fetched.includes(path)),
    paid: tasks.filter(({ charges }) => charges.some(({ kind }) => kind === 'settled')).map(({ id }) => id),
    settled,
  }
}

/** How many results a run lacks that another one has: files, links, or news of success. */
export function lackingIn(now: Results, before: Results): number {
  const kinds = ['fetched', 'linked', 'seen'] as const
  return Math.max(0, ...kinds.map(kind => before[kind].length - now[kind].length))
}

/** Whether a program has the result of a task. One that `fetches` nothing itself needs the link. */
export function hasResult(task: TaskView, { fetched, linked, seen }: Results, fetches: boolean): boolean {
  if (task.media.length === 0) return seen.includes(task.id)
  return fetches
    ? fetched.some(path => path.includes(`/${task.id}/`))
    : linked.includes(task.id) || !linksAtAll(task)
}

/** A picture in the reply itself has no link. */
function linksAtAll({ media }: TaskView): boolean {
  return media.some(({ url }) => url !== null)
}

/** The replies about a task that came after its success and that the program could read. */
function repliesOf(task: TaskView, requests: readonly RequestView[]): RequestView[] {
  const end = task.timeline.find(step => 'from' in step && wordsOfSuccess.includes(step.to ?? ''))
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

/** The journal masks the signature of a link and keeps its path, in which the id of the task stands. */
function showsLink({ response }: RequestView, { id }: TaskView): boolean {
  return JSON.stringify(response.body ?? '').includes(`/${id}/`)
}

/** The families' words for success. */
const wordsOfSuccess = ['succeeded', 'SUCCEEDED', 'succeed']

/** Whether a request is about a task. */
export function concerns({ task_id, task_ids }: RequestView, id: string): boolean {
  return task_id === id || (task_ids?.includes(id) ?? false)
}

function pathOf({ path }: RequestView): string {
  return path.split('?', 1)[0] ?? path
}
