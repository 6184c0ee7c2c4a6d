import { signal } from '@preact/signals'
import { control } from '../store/api.ts'

export interface Listed {
  name: string
  description: string
  source: 'world' | 'file' | 'shipped'
}

/** `GET /scenarios`. */
export interface Listing {
  available: Listed[]
  /** In the order in which their rules are tried. */
  active: string[]
}

export interface Rule {
  when?: Record<string, unknown>
  then: Record<string, unknown>
}

export interface ScenarioDocument {
  name: string
  description?: string
  rules: Rule[]
}

/** A rule that comes first and takes an effect away. */
export interface Shadow {
  by: string
  effect: string
  always: boolean
}

/** `GET /scenarios/{name}`. */
export interface ScenarioView extends Listed {
  document: ScenarioDocument
  /** As its author wrote it, with comments, where that is known. */
  text?: string
  /** The newest request before the present rules began to act. */
  since_request: number
  /** By rule; empty while the scenario does not act. */
  shadowed: Shadow[][]
}

/** Counts changes that this page made itself. */
export const scenariosChanged = signal(0)

export function readScenario(name: string): Promise<ScenarioView> {
  return control('GET', `/scenarios/${encodeURIComponent(name)}`)
}

/** Makes exactly these act, in this order; those that stay go on where they are. */
export async function act(names: readonly string[]): Promise<void> {
  await control('PATCH', '/scenarios/active', { names })
  scenariosChanged.value++
}
