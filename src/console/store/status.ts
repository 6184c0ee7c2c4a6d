import { effect, signal } from '@preact/signals'
import type { Finding, InjectionView, ScenarioList } from '../../client/types.ts'
import { control, written } from './api.ts'
import { changes } from './live.ts'
import type { Listed } from './shapes.ts'

/** The names of the scenarios that act, in their order. */
export const activeScenarios = signal<readonly string[]>([])
/** Rules that will act once. */
export const injections = signal<readonly InjectionView[]>([])
export const findings = signal<readonly Finding[]>([])

let reading: 'no' | 'once' | 'again' = 'no'

/** Reads what the top bar shows. Calls that come meanwhile are answered by one more reading. */
async function readStatus(): Promise<void> {
  if (reading !== 'no') {
    reading = 'again'
    return
  }
  reading = 'once'
  try {
    const [scenarios, waiting, found] = await Promise.all([
      control<ScenarioList>('GET', '/scenarios'),
      control<Listed<InjectionView>>('GET', '/inject'),
      control<Listed<Finding>>('GET', '/findings'),
    ])
    activeScenarios.value = scenarios.active
    injections.value = waiting.items
    findings.value = found.items
  } catch {
    // The live connection shows whether the emulator answers.
  }
  const isMore = (reading as string) === 'again'
  reading = 'no'
  if (isMore) await readStatus()
}

const rereadMs = 10_000

/** Reads the status after each change that the page hears of or makes; what others change silently is seen after a while. */
export function followStatus(): void {
  effect(() => {
    changes.value
    written.value
    void readStatus()
  })
  setInterval(() => {
    if (!document.hidden) void readStatus()
  }, rereadMs)
}
