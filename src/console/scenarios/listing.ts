import { signal } from '@preact/signals'

export interface Listed {
  name: string
  description: string
  source: 'world' | 'file' | 'shipped'
}

/** `GET /scenarios`. */
export interface Listing {
  available: Listed[]
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

/** Counts changes that this page made itself. */
export const scenariosChanged = signal(0)
