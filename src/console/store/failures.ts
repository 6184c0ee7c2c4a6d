import { signal } from '@preact/signals'
import type { InjectionView, List } from '../../kits/views.ts'
import { type Breakage, breakageText, callsText, retryAfterOf, withRetryAfter } from '../breaking/breakage.ts'
import { about, control } from './api.ts'
import { notify, report } from './notices.ts'
import { injections } from './status.ts'

/** The failures of each operation; empty until they are read. */
export const failures = signal<readonly Breakage[]>([])

/** A rule that acts once cannot make an outage of half a minute. */
const longer = new Set(['outage'])

export async function readFailures(): Promise<void> {
  if (failures.value.length > 0) return
  await report(async () => {
    const { items } = await about<List<Breakage>>('GET', '/failures?replies=true')
    failures.value = items.filter(({ id }) => !longer.has(id))
  })
}

/** Which calls from now fail, and what the Retry-After of refusals asks for, in seconds; absent as the catalogue says. */
export interface Measure {
  /** How many calls go well before. */
  skip?: number
  times?: number
  retryAfter?: number | undefined
}

/** Makes calls of an operation fail, each once. */
export async function breakNext(failure: Breakage, measure: Measure = {}): Promise<void> {
  const { operation } = failure
  const { skip = 0, times = 1, retryAfter } = measure
  const calls = Array.from({ length: times }, (_, i) => skip + i + 1)
  const then = retryAfter === undefined ? failure.then : withRetryAfter(failure, `${retryAfter}s`)
  await report(async () => {
    const ids = new Set<string>()
    for (const nth of calls)
      ids.add((await control<InjectionView>('POST', '/inject', { operation, nth, then })).id)
    const wait = then === failure.then ? undefined : retryAfterOf(then)
    const which = `${skip === 0 ? 'The ' : ''}${callsText(operation, calls)}`
    const isTrue = () => injections.value.some(({ id }) => ids.has(id))
    notify('done', `${which}: ${breakageText(failure, wait)}`, { isTrue })
  })
}

export async function mendNext(ids: readonly string[]): Promise<void> {
  await report(() => Promise.all(ids.map(id => control('DELETE', `/inject/${encodeURIComponent(id)}`))))
}
