import type { UnseenLibrary } from '../../kits/views.ts'

type Found = readonly UnseenLibrary[] | undefined

/** `worker waits in gevent, and a process that does so cannot be tied to the clock of its world`; undefined when none does. */
export function whyUntied(found: Found): string | undefined {
  const names = namesOf(found, false).map(({ who, name }) => `${who} waits in ${name}`)
  if (names.length === 0) return undefined
  return `${names.join(', ')}, and a process that does so cannot be tied to the clock of its world`
}

/** `the language's own event loop is used in place of uvloop in web`; undefined when nothing is replaced. */
export function replacedText(found: Found): string | undefined {
  const names = namesOf(found, true).map(({ who, name }) => `${name} in ${who}`)
  return names.length === 0
    ? undefined
    : `the language's own event loop is used in place of ${names.join(', and of ')}`
}

function namesOf(found: Found = [], isReplaced: boolean) {
  return found
    .filter(({ is_replaced }) => is_replaced === isReplaced)
    .map(({ name, service = 'the program' }) => ({ name, who: service }))
}
