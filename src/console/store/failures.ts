import { signal } from '@preact/signals'
import { type Breakage, breakageText } from '../breaking/breakage.ts'
import { about, control } from './api.ts'
import { notify, report } from './notices.ts'
import type { Listed } from './shapes.ts'

/** The failures of each operation; empty until they are read. */
export const failures = signal<readonly Breakage[]>([])

/** A rule that acts once cannot make an outage of half a minute. */
const longer = new Set(['outage'])

export async function readFailures(): Promise<void> {
  if (failures.value.length > 0) return
  await report(async () => {
    const { items } = await about<Listed<Breakage>>('GET', '/failures?replies=true')
    failures.value = items.filter(({ id }) => !longer.has(id))
  })
}

/** How often a failure happens, and what its Retry-After asks for, in seconds; absent as the catalogue says. */
export interface Measure {
  times?: number
  retryAfter?: number
}

/** Makes the next calls of an operation fail. */
export async function breakNext(failure: Breakage, { times = 1, retryAfter }: Measure = {}): Promise<void> {
  const { operation } = failure
  await report(async () => {
    const then = measured(failure, retryAfter)
    for (let nth = 1; nth <= times; nth++) await control('POST', '/inject', { operation, nth, then })
    notify('done', `The next ${times === 1 ? '' : `${times} `}${operation}: ${breakageText(failure)}`)
  })
}

function measured({ then }: Breakage, retryAfter: number | undefined): Breakage['then'] {
  const { refuse } = then
  if (retryAfter === undefined || typeof refuse !== 'object' || !Object.hasOwn(refuse ?? {}, 'fault'))
    return then
  return { ...then, refuse: { ...refuse, retry_after: `${retryAfter}s` } }
}

export async function mendNext(ids: readonly string[]): Promise<void> {
  await report(() => Promise.all(ids.map(id => control('DELETE', `/inject/${encodeURIComponent(id)}`))))
}
