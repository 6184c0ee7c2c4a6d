// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
import type { ScenarioDocument } from '../../emulator/words.ts'
import { counted } from '../parts/format.ts'
import { rulesOf } from './effects.ts'
import { notesOf } from './notes.ts'
import type { Part } from './part.ts'

/** A copy, and what it cannot carry over. */
export interface Copy {
  text: string
  notes: string[]
}

/** A scenario with which the same client meets the same run in a new world. */
export function scenarioOf(part: Part): ScenarioDocument {
  const { trace, tasks, calls } = part
  const about = tasks[0]?.id ?? `request-${calls[0]?.id ?? 0}`
  const notes = notesOf(part, 'rules')
  return {
    name: `like-${about.replace(/[^A-Za-z0-9_-]/g, '-')}`.slice(0, 64),
    description: [
      `The run of ${trace.world} with ${counted(calls.length, 'request')}, for the same client in a new world with the clock ${trace.clock}.`,
      ...(notes.length > 0 ? [`Not carried over: ${notes.join('; ')}.`] : []),
    ].join(' '),
    rules: rulesOf(part, 'rules').map(({ operation, nth, then }) => ({
      when: { operation, call: nth },
      then,
    })),
  }
}

/** The same as YAML, with what it cannot carry over as comments; undefined when its rules would do nothing but move the clock. */
export async function scenarioCopy(part: Part): Promise<Copy | undefined> {
  const scenario = scenarioOf(part)
  if (scenario.rules.every(({ then }) => Object.keys(then).every(word => word === 'clock'))) return undefined
  const { stringify } = await import('yaml')
  const notes = notesOf(part, 'rules')
  return {
    text: `${notes.map(note => `# Not carried over: ${note}\n`).join('')}${stringify(scenario)}`,
    notes,
  }
}
