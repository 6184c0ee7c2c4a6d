import { makesTask } from '../../emulator/words.ts'
import type { Failure, FailureReply, InjectionView, RequestView } from '../../kits/views.ts'
import { groupsOf, hasWords, wordsOf } from '../parts/lists.ts'

/** A failure of the catalogue, with the status and the code that clients get. */
export type Breakage = Failure & FailureReply

/** How a failure is called: `too many requests, Retry-After 7s (429 AccountRateLimitExceeded)`. */
export function breakageText({ status, code, title }: Breakage, retryAfter?: string): string {
  const reply = [status, code].filter(part => part !== undefined).join(' ')
  const words =
    retryAfter === undefined
      ? title
      : `${title.replace(/, with(?:out)? Retry-After$/, '')}, Retry-After ${retryAfter}`
  return reply === '' ? words : `${words} (${reply})`
}

/** Calls from now, counted from 1: `next a.create`, `next 2 a.create`, `a.create, 3 calls from now`. */
export function callsText(operation: string, calls: readonly number[]): string {
  if (calls.some((call, i) => call !== i + 1)) return `${operation}, ${calls.join(', ')} calls from now`
  return `next ${calls.length === 1 ? '' : `${calls.length} `}${operation}`
}

/** The wait that the refusal of a rule asks for; undefined when it asks for none. */
export function retryAfterOf(then: object): string | undefined {
  const { refuse } = then as { refuse?: { retry_after?: string } }
  return refuse?.retry_after
}

/** The effects of a failure with another Retry-After; the same for what is no refusal by a fault. */
export function withRetryAfter({ then }: Breakage, retryAfter: string | undefined): Breakage['then'] {
  const { refuse } = then as { refuse?: { fault?: string; retry_after?: string } }
  if (refuse?.fault === undefined) return then
  const { retry_after: _, ...rest } = refuse
  return { ...then, refuse: { ...rest, ...(retryAfter !== undefined && { retry_after: retryAfter }) } }
}

/** Rules that act once each, on calls that follow each other. */
export interface InjectionChip {
  ids: readonly string[]
  text: string
}

type Waiting = Pick<InjectionView, 'id' | 'operation' | 'calls_left' | 'then'>

/** One chip for equal rules of one operation, in a few words. */
export function injectionChips(
  injections: readonly Waiting[],
  catalogue: readonly Breakage[],
): InjectionChip[] {
  const groups = groupsOf(injections, one => `${one.operation} ${JSON.stringify(one.then)}`)
  return [...groups.values()].map(group => ({
    ids: group.map(({ id }) => id),
    text: textOf(group, catalogue),
  }))
}

function textOf(group: readonly Waiting[], catalogue: readonly Breakage[]): string {
  const [{ operation, then }] = group as [Waiting]
  const calls = group.map(({ calls_left }) => calls_left).sort((a, b) => a - b)
  return `${callsText(operation, calls)}: ${thenText(operation, then, catalogue)}`
}

/** What a rule does to calls of an operation, as the catalogue says it or, if it has no such failure, in the words of the rule. */
export function thenText(operation: string, then: object, catalogue: readonly Breakage[]): string {
  const own = catalogue.filter(one => one.operation === operation)
  const isSame = (known: object) => JSON.stringify(known) === JSON.stringify(then)
  const known = own.find(one => isSame(one.then))
  const wait = retryAfterOf(then)
  const alike = own.find(one => isSame(withRetryAfter(one, wait)))
  return known ? breakageText(known) : alike ? breakageText(alike, wait) : effectText(then)
}

/** `refuse rate_limited, retry_after 30s`, `connection hang`, `task failed`. */
function effectText(then: object): string {
  return Object.entries(then)
    .map(([kind, how]) => `${kind} ${effectWords(how)}`.trim())
    .join(', ')
}

function effectWords(how: unknown): string {
  if (typeof how !== 'object' || how === null) return String(how)
  return Object.entries(how)
    .map(([key, value]) =>
      /^(?:fault|outcome|status)$/.test(key)
        ? String(value)
        : `${key} ${JSON.stringify(value).replaceAll('"', '')}`,
    )
    .join(', ')
}

/** What the groups of the catalogue are called. */
const kindTitles: Readonly<Record<Breakage['kind'], string>> = {
  refusal: 'The reply is a refusal',
  connection: 'The connection breaks',
  timing: 'It takes longer',
  outcome: 'The task ends badly',
  media: 'The file is broken',
  restart: 'Held, so that you can kill your program there',
}

/** The failures of an operation that contain every word, grouped by kind. */
export function byKind(
  failures: readonly Breakage[],
  { operation, search }: { operation: string; search: string },
): [string, Breakage[]][] {
  const words = wordsOf(search)
  const found = failures.filter(one => one.operation === operation && hasWords(searchTextOf(one), words))
  return Object.entries(kindTitles).flatMap(([kind, title]): [string, Breakage[]][] => {
    const list = found.filter(one => one.kind === kind)
    return list.length === 0 ? [] : [[title, list]]
  })
}

/** All words by which a failure is found, with what people also call it. */
export function searchTextOf(failure: Breakage): string {
  const { connection } = failure.then as { connection?: unknown }
  const others = connection === 'hang' ? 'timeout time-out timed out' : ''
  return `${failure.id} ${breakageText(failure)} ${effectText(failure.then)} ${others}`
}

/** Every operation that can fail, and the chosen one while the catalogue is read. */
export function operationsIn(failures: readonly Breakage[], chosen: string): string[] {
  return [...new Set([...(failures.length === 0 ? [chosen] : []), ...failures.map(one => one.operation)])]
}

/** The create that clients of this world called last. */
export function lastCreate(newestFirst: readonly RequestView[]): string {
  return newestFirst.find(({ operation }) => makesTask(operation))?.operation ?? 'a.create'
}
