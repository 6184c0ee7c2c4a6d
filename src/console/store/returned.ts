import { counted } from '../parts/format.ts'

/** What identifies a run of the emulator and the contents of a world. */
export interface Contents {
  /** The id of the run of the emulator; undefined until it is read. */
  instance: string | undefined
  tasks: readonly { id: string }[]
  requests: readonly { request_id: string }[]
}

/** What is different after a break, in a sentence; undefined when everything that the page showed still exists. */
export function differenceOf(before: Contents, after: Contents): string | undefined {
  const isRestarted = before.instance !== undefined && before.instance !== after.instance
  const tasks = missing(before.tasks, after.tasks, ({ id }) => id)
  const requests = missing(before.requests, after.requests, ({ request_id }) => request_id)
  if (!isRestarted && tasks === 0 && requests === 0) return undefined
  const gone = [
    ...(tasks > 0 ? [counted(tasks, 'task')] : []),
    ...(requests > 0 ? [counted(requests, 'request')] : []),
  ]
  const start = isRestarted ? 'The emulator was started again' : 'This world has other contents than before'
  if (gone.length === 0) return `${start}. All that was shown here is still there.`
  const are = tasks + requests === 1 ? 'is' : 'are'
  return `${start}: ${gone.join(' and ')} that ${tasks + requests === 1 ? 'was' : 'were'} shown here ${are} gone.`
}

function missing<T>(before: readonly T[], after: readonly T[], keyOf: (item: T) => string): number {
  const there = new Set(after.map(keyOf))
  return before.filter(item => !there.has(keyOf(item))).length
}
