import type { Finding } from '../../client/types.ts'
import type { Entry } from '../store/shapes.ts'

/** A rule that a well-behaved client keeps, and whether this client kept it. */
export interface Manner {
  title: string
  /** `unseen`: no request could show it yet. */
  state: 'kept' | 'broken' | 'unseen'
  /** The findings that show that it was broken. */
  texts: readonly string[]
}

interface Rule {
  title: string
  kinds: readonly Finding['kind'][]
  /** Whether a request can keep or break the rule. */
  isOccasion: (entry: Entry) => boolean
}

const isPoll = ({ operation }: Entry) => operation.endsWith('.get')
const isCreate = ({ operation, method }: Entry) => method === 'POST' && operation !== 'unknown'

const rules: readonly Rule[] = [
  { title: 'Waits between two polls', kinds: ['polls_too_fast'], isOccasion: isPoll },
  {
    title: 'Waits as long as Retry-After asks',
    kinds: ['retry_after_ignored'],
    isOccasion: ({ response }) =>
      Object.keys(response.headers).some(name => name.toLowerCase() === 'retry-after'),
  },
  {
    title: 'Stops polling when a task is over',
    kinds: ['polls_after_end', 'polled_after_end'],
    isOccasion: isPoll,
  },
  {
    title: 'Creates each task once',
    kinds: ['create_repeated', 'created_again_while_running'],
    isOccasion: isCreate,
  },
  { title: 'Sends only fields that are read', kinds: ['unread_fields'], isOccasion: isCreate },
  {
    title: 'Fetches what it paid for',
    kinds: ['abandoned_task', 'result_not_fetched'],
    isOccasion: isCreate,
  },
  {
    title: 'Fetches results without its key',
    kinds: ['authorization_on_link'],
    isOccasion: ({ operation }) => operation === 'media.download',
  },
]

/** How the clients of a world behaved, from its findings and its requests. */
export function mannersOf(findings: readonly Finding[], entries: readonly Entry[]): Manner[] {
  return rules.map(({ title, kinds, isOccasion }) => {
    const texts = findings.filter(({ kind }) => kinds.includes(kind)).map(({ text }) => text)
    const state = texts.length > 0 ? 'broken' : entries.some(isOccasion) ? 'kept' : 'unseen'
    return { title, state, texts }
  })
}

/** How many of the rules that could be seen were kept: `5 of 6`. */
export function scoreOf(manners: readonly Manner[]): { kept: number; seen: number } {
  const seen = manners.filter(({ state }) => state !== 'unseen')
  return { kept: seen.filter(({ state }) => state === 'kept').length, seen: seen.length }
}
