import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { families } from '../../src/emulator/families/index.ts'
import { whenSchema } from '../../src/emulator/scenarios/conditions/index.ts'
import { thenSchema } from '../../src/emulator/scenarios/effects/index.ts'
import { downloadOperation, operations } from '../../src/emulator/scenarios/operations.ts'
import type { Finding } from '../../src/kits/client/types.ts'
import { root } from '../../test/support/fresh-build.ts'

/** The heads and rows of the tables of the page "Words" that follow from the code. */
export interface Table {
  head: readonly string[]
  rows: readonly (readonly string[])[]
}

const code = (text: string) => `\`${text}\``
const sentence = (text: string) => `${text[0]?.toUpperCase()}${text.slice(1).replace(/\.$/, '')}`

/** Every operation id, with its call. */
export function operationTable(): Table {
  const endpoints = families.flatMap(family => family.endpoints)
  const rows = operations.map(id => {
    if (id === downloadOperation) return [code(id), 'GET of a result link', 'Download a result']
    const endpoint = endpoints.find(({ operation }) => operation === id)
    if (!endpoint) throw new Error(`No family has the operation ${id}`)
    const { method, paths, summary, beyondSpecification } = endpoint
    const path = paths[0].replaceAll(/:(\w+)/g, '{$1}')
    return [code(id), code(`${method} ${path}`), `${summary}${beyondSpecification ? ' (beyond)' : ''}`]
  })
  return { head: ['Operation', 'Call', 'What it does'], rows }
}

/** The words of `when`. */
export function conditionTable(): Table {
  return { head: ['Word', 'Selects', 'Values'], rows: described(whenSchema.properties) }
}

/** The words of `then`, and the words inside each. */
export function effectTable(): Table {
  const rows = Object.entries(thenSchema.properties as Described).flatMap(([word, schema]) => [
    ...described({ [word]: schema }),
    ...described(schema.properties ?? {}, inner => `${word}: { ${inner} }`),
  ])
  return { head: ['Effect', 'What happens', 'Values'], rows }
}

type Described = Readonly<
  Record<
    string,
    {
      description?: string
      enum?: readonly unknown[]
      then?: { enum?: readonly unknown[] }
      properties?: Described
    }
  >
>

/** Each word, what the schema says of it, and its values when they can be listed. */
function described(words: Described, named = (word: string) => word): string[][] {
  return Object.entries(words).flatMap(([word, { description, enum: values, then }]) => {
    if (description === undefined) return []
    const listed = (values ?? then?.enum ?? []).map(value => code(String(value))).join(', ')
    return [[code(named(word)), sentence(description).replaceAll('|', '\\|'), listed]]
  })
}

/** What each finding says of a client, and what it costs with the real service. */
const findings: Readonly<Record<Finding['kind'], string>> = {
  polls_too_fast: 'It polls a task with less than a second between',
  retry_after_ignored: 'It repeats a request before the time that a reply asked it to wait has passed',
  polls_after_end: 'It polls once more or oftener, although a poll has shown it the final state',
  polled_after_end: 'The same with five polls or more: the loop does not know this final state',
  authorization_on_link: 'It sends its key to a result link, which an object store refuses',
  unread_fields: 'It sends fields that nothing reads, such as a misspelt one',
  create_repeated:
    'The reply of a create was lost, and the same create came again: each task is charged when it succeeds',
  created_again_while_running:
    'The same create came again while the first task was under way: each is charged when it succeeds',
  idempotency_ignored:
    'The same create came again with the same `Idempotency-Key`, which the gateway does not read: each is charged when it succeeds',
  made_twice:
    'Two services of a world that was opened with `services` created the same job: each task is charged when it succeeds',
  abandoned_task: 'A charged task was not asked for any more after it had succeeded, or not fetched in time',
  result_not_fetched: 'A link was shown to the client, and expired without being opened',
  task_type_guessed:
    'It leaves the task type to the service, and its ratio or duration is allowed only as the prompt was read',
  prompt_flags: 'Its prompt ends in flags of old, such as one for the ratio, which set nothing',
}

/** Every kind of finding. */
export function findingTable(): Table {
  return {
    head: ['Finding', 'What the client does'],
    rows: Object.entries(findings).map(([kind, text]) => [code(kind), text]),
  }
}

/** Methods that Python spells otherwise than by underscores, or that one of the languages lacks. */
const inPython: Readonly<Record<string, string | undefined>> = {
  'scenarios.use': 'use',
  'requests.list': 'requests',
  'requests.verify': 'verify',
  'requests.mustHave': 'must_have',
  'tasks.list': 'tasks',
  'tasks.get': 'task',
  'tasks.create': 'create_task',
  'tasks.story': 'story',
  'tasks.force': 'force',
  'tasks.expireLink': 'expire_link',
  'snapshots.save': 'save',
  'snapshots.restore': 'restore',
  'accounts.change': 'change_account',
}

/** The functions of a world and of an emulator, in JavaScript and in Python. Throws when Python has one that is not in the table. */
export function methodTable(of: 'world' | 'emulator'): Table {
  const python = readFileSync(join(root, 'python/generation_gateway_emulator/client.py'), 'utf8')
  const classes = of === 'world' ? { '': 'World', 'clock.': 'Clock' } : { '': 'Emulator' }
  const known = new Set(
    Object.entries(classes).flatMap(([before, name]) =>
      methodsOf(python, name).map(method => before + method),
    ),
  )
  const rows = javascriptMethods(of).map(([name, text]) => {
    const own = inPython[name] ?? name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
    const has = known.delete(own)
    return [code(name), has ? code(own) : '', text]
  })
  if (known.size > 0) throw new Error(`Python has more of a ${of}: ${[...known].join(', ')}`)
  return { head: ['JavaScript', 'Python', 'What it does'], rows }
}

function methodsOf(source: string, name: string): string[] {
  const body =
    new RegExp(`^class ${name}:\\n([\\s\\S]*?)(?=^\\S|\\s*$(?![\\s\\S]))`, 'm').exec(source)?.[1] ?? ''
  return [...body.matchAll(/(@property\n)? {4}def ([a-z]\w*)\(/g)].flatMap(([, property, method = '']) =>
    property ? [] : [method],
  )
}

/** Names with the part of the world that they belong to, and the first sentence about each. */
function javascriptMethods(of: 'world' | 'emulator'): [name: string, text: string][] {
  const file = of === 'world' ? 'src/kits/client/world-client.ts' : 'src/kits/client/client.ts'
  const source = readFileSync(join(root, file), 'utf8')
  const parts = new Map<string, string>([[of === 'world' ? 'WorldClient' : 'ControlClient', '']])
  const found: [string, string][] = []
  for (const [, name = '', body = ''] of source.matchAll(/^export interface (\w+) \{\n([\s\S]*?)^\}/gm)) {
    for (const [, comment = '', field = '', call, type = ''] of body.matchAll(
      /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s+(\w+)(?:(<[^(]*>)?\(|: (World\w+)$)/gm,
    )) {
      if (type) parts.set(type, `${field}.`)
      else if (parts.has(name)) found.push([`${parts.get(name)}${field}`, firstSentence(comment)])
      void call
    }
  }
  return found
}

function firstSentence(comment: string): string {
  const text = comment.replaceAll(/\s*\n\s*\*\s*/g, ' ').trim()
  return (/^.*?[^.][.](?=\s|$)/.exec(text)?.[0] ?? text).replace(/\.$/, '').replaceAll('|', '\\|')
}
