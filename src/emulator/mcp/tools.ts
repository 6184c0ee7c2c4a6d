// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.

import { clockOf } from '../../kits/client.ts'
import { type ControlCaller, type Trace, traceText } from '../../kits/views.ts'
import type { Schema } from '../http/validate.ts'
import { namePattern, nameRule } from '../worlds/record-values.ts'

/** The arguments of a tool; those that are not required may be left out. */
function inputs(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
): Schema & { type: 'object' } {
  return { type: 'object', properties, required, additionalProperties: false }
}

/* The arguments that several tools share. */

const world = {
  type: 'string',
  pattern: namePattern,
  description: `${nameRule}; "default" when absent. The key of a world is sk-test-<world>, that of the default one sk-emulator.`,
} as const

const duration = {
  type: ['string', 'number'],
  description: 'Such as "90s", "1h30m", or milliseconds.',
} as const

const matcher = {
  type: 'object',
  description:
    'As `when` of scenario rules: operation (a glob such as "*.create"), family, model, status, prompt, …',
} as const

const count = {
  type: 'object',
  properties: { exactly: { type: 'integer' }, at_least: { type: 'integer' }, at_most: { type: 'integer' } },
  additionalProperties: false,
} as const

/** JSON Schemas of what the tools answer: the fields that an agent reads next. Answers may hold more. */

type Shape = Schema & { type: 'object' }

const text = { type: 'string' } as const
const number = { type: 'number' } as const
const record = { type: 'object' } as const

/** An object with these fields, all of them there. */
function answer(properties: Record<string, Schema>): Shape {
  return { type: 'object', properties, required: Object.keys(properties) }
}

/** A list as the control API answers it. */
function list(item: Schema = record): Shape {
  return answer({ items: { type: 'array', items: item } })
}

const event = answer({ at: text, task_id: text, family: text, from: text, to: text })

const outputs = {
  world: answer({
    id: text,
    api_key: { ...text, description: 'For the code under test.' },
    base_url: { ...text, description: 'For the code under test.' },
  }),
  dropped: answer({ dropped: { ...text, description: 'The name of the world.' } }),
  moved: answer({ now: text, now_ms: number, events: { type: 'array', items: event } }),
  tasks: list(answer({ id: text, family: text })),
  story: answer({ text: { ...text, description: 'One line for each event.' } }),
  trace: answer({ text: { ...text, description: 'One line for each call, event and finding.' } }),
  scenarios: {
    type: 'object',
    properties: { active: { type: 'array', items: text }, available: { type: 'array', items: record } },
  },
  injection: record,
  verdict: answer({ ok: { type: 'boolean' }, found: number, near_misses: { type: 'array', items: record } }),
  failures: list(answer({ id: text, operation: text })),
  findings: list(answer({ kind: text, text })),
  openapi: {
    type: 'object',
    properties: { info: record, operations: { type: 'array', items: text }, paths: record },
  },
} satisfies Readonly<Record<string, Shape>>

/** One tool for agents: its arguments, and its call of the control API. */
export interface Tool {
  name: string
  title: string
  description: string
  /** `destroys`: what was there can be lost. `runs`: a program of the user's, which can do anything. */
  effect: 'reads' | 'adds' | 'destroys' | 'runs'
  outputSchema: Schema & { type: 'object' }
  inputSchema: Schema & { type: 'object' }
  /** `signal`: nobody waits for the answer any more. */
  call(control: ControlCaller, input: Input, signal: AbortSignal): Promise<unknown>
}

type Input = Readonly<Record<string, unknown>>

/** The tools, in the order in which an agent usually needs them. */
export const tools: readonly Tool[] = [
  {
    name: 'create_world',
    title: 'Create a world',
    description:
      'Opens an isolated emulated gateway with its own clock, seed, tasks and journal. The answer has its base_url and api_key.',
    effect: 'adds',
    outputSchema: outputs.world,
    inputSchema: inputs({
      id: { ...world, description: `${nameRule}; a free name when absent.` },
      seed: { type: 'integer', description: 'A number that decides every id, duration and picture.' },
      clock: {
        type: 'string',
        description:
          'realtime, manual (moves by advance_clock only), auto (polls skip to the next change), or a rate such as 60x.',
      },
      now: { type: 'string', description: 'Virtual time at which it opens, ISO 8601.' },
      scenarios: {
        type: 'array',
        items: { type: 'string' },
        description: 'Names of scenarios that are active in it.',
      },
    }),
    call: (control, { clock, now, ...rest }) =>
      control.send('POST', '/worlds', {
        ...rest,
        clock: { ...clockOf(clock as string | undefined), ...(now !== undefined && { now }) },
      }),
  },
  {
    name: 'advance_clock',
    title: 'Advance the clock',
    description:
      'Moves a world’s virtual time forward and lists what changed on the way. Give exactly one of by, to, until.',
    effect: 'adds',
    outputSchema: outputs.moved,
    inputSchema: inputs({
      world,
      by: duration,
      to: { type: ['string', 'number'], description: 'A moment: ISO 8601 or epoch milliseconds.' },
      until: {
        description: '"next" change of any task, "idle" (nothing more will change), or {task, status}.',
        anyOf: [
          { type: 'string', enum: ['next', 'idle'] },
          {
            type: 'object',
            properties: { task: { type: 'string' }, status: { type: 'string' } },
            required: ['task', 'status'],
            additionalProperties: false,
          },
        ],
      },
    }),
    call: (control, { world: id, ...advance }) => control.send('POST', below(id, '/clock/advance'), advance),
  },
  {
    name: 'list_tasks',
    title: 'List tasks',
    description: 'Every task of a world, newest first: request, plan, state, charges, media.',
    effect: 'reads',
    outputSchema: outputs.tasks,
    inputSchema: inputs({
      world,
      family: { type: 'string' },
      status: { type: 'string', description: 'A state in the family’s own word.' },
      account: { type: 'string' },
      limit: { type: 'integer', minimum: 1, maximum: 1000 },
      cursor: { type: 'string' },
    }),
    call: (control, { world: id, limit = 20, ...filter }) =>
      control.get(below(id, '/tasks'), { ...(filter as Record<string, string>), limit: Number(limit) }),
  },
  {
    name: 'get_story',
    title: 'Read a task’s story',
    description:
      'All events of one task, in order: requests, states, charges, faults, downloads, and what comes next and why.',
    effect: 'reads',
    outputSchema: outputs.story,
    inputSchema: inputs({ world, task: { type: 'string', description: 'The id of the task.' } }, ['task']),
    call: (control, { world: id, task }) =>
      control.get(below(id, `/tasks/${encodeURIComponent(String(task))}/story`)),
  },
  {
    name: 'get_trace',
    title: 'Read the run of a client',
    description:
      'All calls of a world in order, with each reply, what a rule did to it, and the wait that was asked for and kept; states, links and money of tasks; findings; requests that are still open.',
    effect: 'reads',
    outputSchema: outputs.trace,
    inputSchema: inputs({
      world,
      task: { type: 'string', description: 'The id of a task: only what belongs to it.' },
      since: { type: 'string', description: 'A moment, or the number of a request: only later calls.' },
      trace_id: { type: 'string', description: 'Only calls that carried this trace id or traceparent.' },
    }),
    async call(control, { world: id, ...filter }) {
      const trace = await control.get<Trace>(below(id, '/trace'), filter as Record<string, string>)
      return {
        text: traceText(trace),
        ...(trace.incomplete !== undefined && { incomplete: trace.incomplete }),
      }
    },
  },
  {
    name: 'use_scenario',
    title: 'Use scenarios',
    description:
      'With names: exactly these scenarios act in a world from now on. With a document: it is kept, and acts beside the others. With neither: lists the known and the active scenarios.',
    effect: 'destroys',
    outputSchema: outputs.scenarios,
    inputSchema: inputs({
      world,
      names: {
        type: 'array',
        items: { type: 'string' },
        description: 'Names; an empty list deactivates all.',
      },
      document: {
        type: 'object',
        description: 'A new scenario document: {name, rules:[{when, then}]}.',
      },
    }),
    call(control, { world: id, names, document }) {
      if (document !== undefined) return control.send('POST', below(id, '/scenarios'), document)
      if (names === undefined) return control.get(below(id, '/scenarios'))
      return control.send('PUT', below(id, '/scenarios/active'), { names })
    },
  },
  {
    name: 'inject_failure',
    title: 'Inject a failure',
    description:
      'Once: the nth call of an operation from now gets the effects in `then` of the scenario language, such as {"refuse":{"fault":"unavailable"}}. list_failures has one for each thing that can go wrong.',
    effect: 'adds',
    outputSchema: outputs.injection,
    inputSchema: inputs(
      {
        world,
        operation: { type: 'string', description: 'An operation id such as a.create, or a glob.' },
        nth: { type: 'integer', minimum: 1, description: 'Which call from now; 1 when absent.' },
        then: { type: 'object' },
      },
      ['operation', 'then'],
    ),
    call: (control, { world: id, nth = 1, ...rest }) =>
      control.send('POST', below(id, '/inject'), { ...rest, nth }),
  },
  {
    name: 'verify_requests',
    title: 'Verify requests',
    description:
      'Whether requests came, how often and in which order; the nearest misses say why they do not match.',
    effect: 'reads',
    outputSchema: outputs.verdict,
    inputSchema: inputs({
      world,
      match: matcher,
      count,
      order: { type: 'array', items: matcher },
    }),
    call: (control, { world: id, ...verification }) =>
      control.send('POST', below(id, '/requests/verify'), verification),
  },
  {
    name: 'list_failures',
    title: 'List failures',
    description:
      'What can go wrong with each operation, as rules that can be injected, each with its source in the contract.',
    effect: 'reads',
    outputSchema: outputs.failures,
    inputSchema: inputs({ operation: { type: 'string' }, family: { type: 'string' } }),
    call: (control, filter) => control.get('/failures', filter as Record<string, string>),
  },
  {
    name: 'get_findings',
    title: 'Get findings',
    description:
      'What a client did that works here and would fail or cost money with the real service: polling without a wait, keys sent to links, paid work abandoned.',
    effect: 'reads',
    outputSchema: outputs.findings,
    inputSchema: inputs({ world }),
    call: (control, { world: id }) => control.get(below(id, '/findings')),
  },
  {
    name: 'drop_world',
    title: 'Drop a world',
    description:
      'Drops a world with its tasks, clock and journal; "default" opens again, empty, at its next use.',
    effect: 'destroys',
    outputSchema: outputs.dropped,
    inputSchema: inputs({ world }, ['world']),
    async call(control, { world: id }) {
      await control.send('DELETE', below(id, ''))
      return { dropped: id }
    },
  },
  {
    name: 'get_openapi',
    title: 'Get the API description',
    description:
      'OpenAPI 3.1 of the emulated API, or of the control API. Without `path` it lists the paths; with it, those that contain the text in full.',
    effect: 'reads',
    outputSchema: outputs.openapi,
    inputSchema: inputs({
      document: { type: 'string', enum: ['emulated', 'control'], description: '"emulated" by default.' },
      path: { type: 'string', description: 'Part of a path, such as "video_generation".' },
    }),
    async call(control, { document = 'emulated', path }) {
      return excerptOf(
        await control.get<OpenApi>(document === 'control' ? '/openapi.control.json' : '/openapi.json'),
        path,
      )
    },
  },
]

function below(world: unknown, path: string): string {
  return `/worlds/${world ?? 'default'}${path}`
}

/** The parts of an OpenAPI document that the tool reads. */
interface OpenApi {
  info: unknown
  paths: Record<string, Record<string, { summary?: string }>>
}

/** An excerpt of a document that is too long to read whole: all paths with their summaries, or the requested paths in full. */
function excerptOf({ info, paths }: OpenApi, path: unknown): unknown {
  if (typeof path === 'string')
    return { info, paths: Object.fromEntries(Object.entries(paths).filter(([name]) => name.includes(path))) }
  const rows = Object.entries(paths).flatMap(([name, methods]) =>
    Object.entries(methods).map(
      ([method, { summary }]) => `${method.toUpperCase()} ${name}: ${summary ?? ''}`,
    ),
  )
  return { info, operations: rows }
}
