import { signal } from '@preact/signals'
import type { Shadow } from '../../emulator/page.ts'
import type { ScenarioDocument } from '../../emulator/words.ts'
import type { ScenarioList } from '../../kits/views.ts'
import { control } from '../store/api.ts'
import { attempt, notify } from '../store/notices.ts'
import { activeScenarios } from '../store/status.ts'

/** A scenario that can be activated by name. */
export type Listed = ScenarioList['available'][number]

/** `GET /scenarios/{name}`. */
export interface ScenarioView extends Listed {
  document: ScenarioDocument
  /** The text that its author wrote, with comments, where it is known. */
  text?: string
  /** The number of the newest request before the present rules began to act. */
  since_request: number
  /** For each rule, the earlier rules that take an effect from it; empty while the scenario is off. */
  shadowed: Shadow[][]
}

/** Counts changes that this page made itself. */
export const scenariosChanged = signal(0)

export function readScenarios(): Promise<ScenarioList> {
  return control('GET', '/scenarios')
}

export function readScenario(name: string): Promise<ScenarioView> {
  return control('GET', `/scenarios/${encodeURIComponent(name)}`)
}

/** Makes exactly these scenarios active, in this order. Those that stay active keep their counters. */
export async function activate(names: readonly string[]): Promise<void> {
  await control('PATCH', '/scenarios/active', { names })
  scenariosChanged.value++
}

/** Deactivates one scenario. The others keep their order and their counters, also those that another client has activated in the meantime. */
export async function stop(name: string): Promise<void> {
  const { active } = await readScenarios()
  await activate(active.filter(other => other !== name))
}

export type Turn = 'on' | 'off'

/** Activates or deactivates one scenario and says so; the others stay as they are. False when it was refused. */
export async function toggle(name: string, to: Turn): Promise<boolean> {
  return await attempt(async () => {
    if (to === 'off') await stop(name)
    else await activate([...(await readScenarios()).active, name])
    const isOn = to === 'on'
    const isTrue = () => activeScenarios.value.includes(name) === isOn
    notify('done', isOn ? `${name} is active now` : `${name} is off now`, { isTrue })
  })
}
