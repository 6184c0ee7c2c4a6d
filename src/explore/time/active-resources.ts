/** What `process.getActiveResourcesInfo()` lists, and what follows from it. */

/** What a program does that is neither waiting nor an event, in the words of Node. */
export const work = [
  'Immediate',
  'FSReqPromise',
  'FSReqCallback',
  'GetAddrInfoReqWrap',
  'GetNameInfoReqWrap',
  'QueryReqWrap',
]

/** What surely keeps a program alive. An open pipe may only lead to its parent. */
export const keepers = ['Timeout', 'TCPSocketWrap', 'TCPServerWrap', 'ProcessWrap']

/** What may wake a program beside its timers, the other processes of its run, and the answers to its requests. */
const otherWakers = ['FSEventWrap', 'TTYWrap', 'SignalWrap', 'MessagePort', 'Worker']

export function hasAny(resources: readonly string[], active: readonly string[]): boolean {
  return active.some(one => resources.includes(one))
}

/** What may wake this process before its next timer; the numbers are those of the conductor. */
export function wakersOf(active: readonly string[], isOpen: boolean): 0 | 1 | 2 | 3 {
  if (hasAny(otherWakers, active)) return 2
  if (isOpen || active.filter(one => one !== 'Timeout').length > pipesOfOutput()) return 1
  return process.eventNames().some(name => String(name).startsWith('SIG')) ? 3 : 0
}

/** How many pipes Node lists that are its standard output and errors: they wake nobody. */
function pipesOfOutput(): number {
  const { _getActiveHandles } = process as unknown as { _getActiveHandles?(): object[] }
  return (
    _getActiveHandles?.().filter(one => Reflect.get(one, '_isStdio') && Reflect.get(one, '_type') === 'pipe')
      .length ?? 0
  )
}
