import { effect, signal } from '@preact/signals'
import type { Finding, InjectionView, List, ScenarioList } from '../../kits/views.ts'
import { spaced } from '../parts/pace.ts'
import { control, written } from './api.ts'
import { isStale } from './connection.ts'
import { changes } from './live.ts'

/** The names of the scenarios that act, in their order. */
export const activeScenarios = signal<readonly string[]>([])
/** Rules that will act once. */
export const injections = signal<readonly InjectionView[]>([])
export const findings = signal<readonly Finding[]>([])

let reading: 'no' | 'once' | 'again' = 'no'

/** Reads what the top bar shows. Calls during a reading cause one more reading after it. */
async function readStatus(): Promise<void> {
  if (reading !== 'no') {
    reading = 'again'
    return
  }
  reading = 'once'
  readFindings()
  try {
    const [scenarios, waiting] = await Promise.all([
      control<ScenarioList>('GET', '/scenarios'),
      control<List<InjectionView>>('GET', '/inject'),
    ])
    activeScenarios.value = scenarios.active
    injections.value = waiting.items
  } catch {
    // The live connection shows whether the emulator answers.
  }
  const isMore = (reading as string) === 'again'
  reading = 'no'
  if (isMore) await readStatus()
}

/** Findings are computed from the whole journal: a busy emulator must not compute them every second. */
const findingsRestMs = 3000
const readFindings = spaced(findingsRestMs, async () => {
  try {
    findings.value = (await control<List<Finding>>('GET', '/findings')).items
  } catch {
    // As above.
  }
})

const rereadMs = 10_000

/**
 * Reads the status after the page has read its contents, after each change that the page receives or makes, and at intervals, because
 * some changes of other clients send no event.
 */
export function followStatus(): void {
  effect(() => {
    const isRead = changes.value > 0
    written.value
    if (isRead && !isStale.value) void readStatus()
  })
  setInterval(() => {
    if (!document.hidden && !isStale.value) void readStatus()
  }, rereadMs)
}
