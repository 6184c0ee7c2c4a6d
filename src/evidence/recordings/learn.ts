import { readFixture } from '../../emulator/ground.ts'
import { formatDuration, type ScenarioDocument, type ScenarioRule } from '../../emulator/words.ts'
import { at, readLeftOut } from '../spec/json.ts'
import { linkLife } from '../spec/lives.ts'
import { headerOf } from './har.ts'
import { factsOf, isSynchronous } from './operation.ts'
import { jobsOf } from './read/jobs.ts'
import { observedTasks } from './read/observed.ts'
import type { ReadRecording, Step } from './read/steps.ts'
import { planOf } from './replay/planned.ts'
import { refusalOf, resolutionOf } from './replay/unexplained-replies.ts'

/** A scenario that repeats each create of a recording: its durations, its failures, and refusals that the request does not explain. */
export function learnScenario({ name, steps }: ReadRecording): ScenarioDocument {
  const tasks = new Map(
    jobsOf(steps)
      .flatMap(observedTasks)
      .flatMap(task => (task.makes ? [[task.makes, task] as const] : [])),
  )
  const calls = new Map<string, number>()
  const rules = steps.flatMap(step => {
    if (step.method !== 'POST' || step.operation.endsWith('.cancel')) return []
    const call = (calls.get(step.operation) ?? 0) + 1
    calls.set(step.operation, call)
    const task = tasks.get(step)
    const then = task && !isSynchronous(step.family) ? taskOf(planOf(task)) : refused(step)
    return then ? [{ when: { operation: step.operation, call }, then } as ScenarioRule] : []
  })
  return {
    name: nameOf(name),
    description: `What ${name} showed: ${rules.length} creates, with the waits and ends that were seen.`,
    rules,
  }
}

/** A phase that was never seen to end is planned for a year. */
const unseenMs = 300 * 86_400_000

/** What the recording shows of a task. Where it ends before the task does, the rest is left to the emulator. */
function taskOf({ queuedMs, runningMs, outcome, error }: ReturnType<typeof planOf>) {
  const told = Object.entries(error ?? {}).filter(([, text]) => !readLeftOut(text))
  const isSeen = outcome === 'never' || (queuedMs <= unseenMs && runningMs <= unseenMs)
  const task = {
    ...(queuedMs <= unseenMs && { queued: formatDuration(queuedMs) }),
    ...(queuedMs <= unseenMs && runningMs <= unseenMs && { running: formatDuration(runningMs) }),
    ...(isSeen && { outcome }),
    ...(told.length > 0 && { error: Object.fromEntries(told) }),
  }
  return Object.keys(task).length > 0 ? { task } : undefined
}

/** Refusals that the request does not explain. The emulator makes the others by its own rules. */
function refused(step: Step) {
  if (![403, 413, 429].includes(step.status) && step.status < 500) return undefined
  const refusal = refusalOf(step)
  if (!refusal) return undefined
  const { fault, retryAfter } = refusal
  return { refuse: { fault, ...(retryAfter !== undefined && { retry_after: retryAfter }) } }
}

function nameOf(file: string): string {
  const name = file
    .replace(/\.har$/i, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return name === '' ? 'recorded' : name.slice(0, 60)
}

/** The rights of an account, as the recording shows them. Absent = nothing was refused. */
export interface LearnedAccount {
  models?: string[]
  resolutions?: string[]
  requests_per_minute?: number
}

/** The settings that follow from a recording: `settings` for `--config`, `accounts` for the control API. */
export interface Learned {
  settings: { links?: 'relayed' | 'upstream'; models?: Record<string, string> }
  /** By the key's name in the recording. */
  accounts: Record<string, LearnedAccount>
}

const longLifeSeconds = 12 * 3600

/** Reads group, allowed models, limits, names of models and the life of links from a recording. */
export function learnConfig({ steps }: ReadRecording): Learned {
  const keys = new Set(steps.flatMap(({ entry }) => entry._gateway?.key ?? []))
  const accounts = [...keys].flatMap((key): [string, LearnedAccount][] => {
    const learned = accountOf(steps.filter(({ entry }) => entry._gateway?.key === key))
    return Object.keys(learned).length > 0 ? [[key, learned]] : []
  })
  const links = linksOf(steps)
  const models = namesOf(steps)
  return {
    settings: { ...(links && { links }), ...(Object.keys(models).length > 0 && { models }) },
    accounts: Object.fromEntries(accounts),
  }
}

const isMade = ({ method, status }: Step) => method === 'POST' && status < 300
const known = readFixture<Record<string, string[]>>('models.json')

function accountOf(steps: readonly Step[]): LearnedAccount {
  const models = allowed(
    steps,
    step => modelOf(step),
    step => step.status === 403,
  )
  const resolutions = allowed(
    steps,
    resolutionOf,
    step => step.status === 400 && /resolution/i.test(JSON.stringify(step.reply)),
  )
  const limited = steps.find(
    step => step.status === 429 && headerOf(step.entry.response.headers, 'retry-after') !== undefined,
  )
  const perMinute = limited
    ? steps.filter(step => isMade(step) && limited.at - step.at < 60_000 && step.at <= limited.at).length
    : 0
  return {
    ...(models && { models: [...new Set(models.map(neutralOf))] }),
    ...(resolutions && { resolutions }),
    ...(perMinute > 0 && { requests_per_minute: perMinute }),
  }
}

/** The accepted values, when others were refused; undefined when none was refused or none was accepted. */
function allowed(
  steps: readonly Step[],
  valueIn: (step: Step) => string | undefined,
  isRefused: (step: Step) => boolean,
): string[] | undefined {
  const accepted = new Set(steps.filter(isMade).flatMap(step => valueIn(step) ?? []))
  const refused = steps.filter(isRefused).flatMap(step => valueIn(step) ?? [])
  return accepted.size > 0 && refused.some(value => !accepted.has(value)) ? [...accepted] : undefined
}

function modelOf({ body, params }: Step): string | undefined {
  const model = params.model ?? (body.kind === 'json' ? at(body.value, 'model') : undefined)
  return typeof model === 'string' && !readLeftOut(model) ? model : undefined
}

function neutralOf(name: string): string {
  return Object.entries(known).find(([model, names]) => model === name || names.includes(name))?.[0] ?? name
}

/** Names of models that were accepted and that the emulator does not know. */
function namesOf(steps: readonly Step[]): Record<string, string> {
  const unknown = steps.filter(isMade).flatMap((step): [string, string][] => {
    const name = modelOf(step)
    if (name === undefined || neutralOf(name) !== name || Object.hasOwn(known, name)) return []
    const model = factsOf(step.family).modelLike?.(name)
    return model === undefined ? [] : [[name, model]]
  })
  return Object.fromEntries(unknown)
}

/** Links work two hours when they are relayed, a day when they are the upstream's own. */
function linksOf(steps: readonly Step[]): 'relayed' | 'upstream' | undefined {
  const records = jobsOf(steps.filter(({ family }) => factsOf(family).hasRelayedLinks))
    .flatMap(observedTasks)
    .flatMap(({ seen }) => seen)
  const life = records.map(({ record }) => linkLife(record)).find(seconds => seconds !== undefined)
  if (life === undefined) return undefined
  return life > longLifeSeconds ? 'upstream' : 'relayed'
}
