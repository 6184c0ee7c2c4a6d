import { readFileSync } from 'node:fs'
import type { Fault } from '../../../emulator/gateway.ts'
import { fixturePath } from '../../../emulator/ground.ts'
import type { ScenarioDocument, ScenarioRule } from '../../../emulator/words.ts'
import type { ControlClient, WorldClient } from '../../../kits/client.ts'
import { isSynchronous } from '../operation.ts'
import type { AccountOf, TaskObservation } from '../read/observed.ts'
import type { Job, Step } from '../read/steps.ts'
import { inWords, planOf } from './planned.ts'

export interface ReplaySetting {
  emulator: ControlClient
  /** Virtual time of the recording's first entry, epoch ms. */
  startsAt: number
  /** Whether the gateway accepted the key of a request neither then nor later. */
  isDead(step: Step): boolean
  accountOf: AccountOf
}

export interface ReplayWorld {
  base: string
  client: WorldClient
  /** The emulator's ids and links by the recorded ones. */
  known: Map<string, string>
  isDead: ReplaySetting['isDead']
  /** The account that is used for the key of a request. */
  accountOf: AccountOf
  /** Moves the clock to an offset of the recording. */
  advanceTo(offset: number): Promise<void>
  /** The reference of an asset that is used for a recorded one. */
  asset(reference: string, kind: 'image' | 'video' | 'audio', account: string): Promise<string>
}

/** Opens a world with a scenario. Its clock is set just before the first request of a job. */
export async function openReplayWorld(
  setting: ReplaySetting,
  firstOffset: number,
  scenario: ScenarioDocument,
): Promise<ReplayWorld> {
  const { emulator, isDead, accountOf } = setting
  const startsAt = Number.isFinite(setting.startsAt) ? setting.startsAt : Date.parse('2026-01-01T00:00:00Z')
  let now = Math.floor(startsAt + firstOffset) - 1
  const client = await emulator.openWorld({ clock: 'manual', now: new Date(now), scenarios: [scenario] })
  const known = new Map<string, string>()
  return {
    base: emulator.url,
    client,
    known,
    isDead,
    accountOf,
    async advanceTo(offset) {
      const at = Math.floor(startsAt + offset)
      if (at <= now) return
      now = at
      await client.clock.advanceTo(at)
    },
    async asset(reference, kind, account) {
      const key = `${account} ${reference}`
      const made = known.get(key)
      if (made !== undefined) return made
      const { reference: own } = await client.assets.add({
        kind,
        account,
        data: sampleOf(kind),
        certified_person: true,
      })
      known.set(key, own)
      return own
    },
  }
}

const sampleFiles = {
  image: ['image/jpeg', 'landscape.jpg'],
  video: ['video/mp4', 'clip-720p-5s.mp4'],
  audio: ['audio/mpeg', 'voice-8s.mp3'],
} as const

function sampleOf(kind: keyof typeof sampleFiles): string {
  const [type, file] = sampleFiles[kind]
  return `data:${type};base64,${readFileSync(fixturePath(`media/samples/${file}`)).toString('base64')}`
}

/** A recorded refusal that the request does not explain. */
export interface PlannedRefusal {
  fault: Fault
  param?: string
  retryAfter?: string
}

/** The header with which the rules of a replay distinguish its requests. */
export const replayHeader = 'x-replayed-entry'

/** The scenario of a replay: each task has its recorded states, and each planned refusal is repeated. */
export function replayScenario(
  { steps }: Job,
  tasks: readonly TaskObservation[],
  refusals: ReadonlyMap<Step, PlannedRefusal>,
): ScenarioDocument {
  const rules: ScenarioRule[] = steps.flatMap(step => {
    const task = tasks.find(({ makes }) => makes === step)
    const refusal = refusals.get(step)
    if (refusal) return [ruleFor(step, { refuse: refuseOf(refusal) })]
    return task && !isSynchronous(task.family) ? [ruleFor(step, { task: inWords(planOf(task)) })] : []
  })
  // A scenario needs a rule; this one never matches.
  const never: ScenarioRule = ruleOf('none', { clock: { advance: '1ms' } })
  return { name: 'recorded', rules: rules.length > 0 ? rules : [never] }
}

function ruleFor(step: Step, what: ScenarioRule['then']): ScenarioRule {
  return ruleOf(String(step.number), what)
}

function ruleOf(number: string, what: ScenarioRule['then']): ScenarioRule {
  // biome-ignore lint/suspicious/noThenProperty: the word of the scenario language, never awaited
  return { when: { header: { [replayHeader]: { equals: number } } }, then: what }
}

function refuseOf({ fault, param, retryAfter }: PlannedRefusal) {
  return {
    fault,
    ...(param !== undefined && { param }),
    ...(retryAfter !== undefined && { retry_after: retryAfter }),
  }
}
