import type { Rule } from './effects.ts'
import { accessTo, grouped, literal, type Named, nameIn, ordinal, type Spelling } from './literal.ts'
import type { SentCall, Step, TestPlan } from './steps.ts'

/** A test for pytest, with the package's plugin. `origin` is the emulator's address, which is another one when the test runs. */
export function pythonTest(plan: TestPlan, origin: string): string {
  const spelling = spellingFor(origin)
  return [
    ...(isHeld(plan.steps) ? ['import concurrent.futures'] : []),
    'import http.client',
    'import json',
    ...(isHeld(plan.steps) ? ['import time'] : []),
    'import urllib.error',
    'import urllib.parse',
    'import urllib.request',
    '',
    'import pytest',
    '',
    '',
    ...callFunction,
    '',
    '',
    `# Written by the console from a run of the world ${plan.world}.`,
    ...plan.notes.map(note => `# Not carried over: ${note}.`),
    '@pytest.mark.gateway(clock="manual")',
    `def test_${nameOf(plan.title)}(world):`,
    ...bodyOf(plan, spelling).map(line => (line === '' ? '' : `    ${line.replaceAll('\n', '\n    ')}`)),
    '',
  ].join('\n')
}

/** Whether a reply is waited for while other calls are made. */
function isHeld(steps: readonly Step[]): boolean {
  return steps.some(step => step.kind === 'call' && step.phase !== undefined)
}

const callFunction = [
  '# Put calls of your own client in the place of these: it needs world.base_url and the key.',
  'def call(world, method, to, body=None, key=None, patience=60, range=None):',
  '    """Status (0: no reply), headers, whether the body came whole, and the body as bytes."""',
  '    headers = {"Content-Type": "application/json"} if body is not None else {}',
  '    if key:',
  '        headers["Authorization"] = f"Bearer {key}"',
  '    if range:',
  '        headers["Range"] = range',
  '    data = None if body is None else (body if isinstance(body, str) else json.dumps(body)).encode()',
  '    request = urllib.request.Request(urllib.parse.urljoin(world.base_url, to), data, headers, method=method)',
  '    try:',
  '        reply = urllib.request.urlopen(request, timeout=patience)',
  '    except urllib.error.HTTPError as refused:',
  '        reply = refused',
  '    except (OSError, http.client.HTTPException):',
  '        return 0, {}, False, b""',
  '    try:',
  '        return reply.status, reply.headers, True, reply.read()',
  '    except (OSError, http.client.HTTPException):',
  '        return reply.status, reply.headers, False, b""',
]

function bodyOf({ rules, steps, endMs, ends, names }: TestPlan, spelling: Spelling): string[] {
  const usesTime = steps.some(({ afterMs }) => afterMs > 0) || (ends.length > 0 && endMs > 0)
  return [
    ...(isHeld(steps) ? ['pool = concurrent.futures.ThreadPoolExecutor()'] : []),
    ...rules.map(rule => ruleLine(rule, spelling)),
    ...(usesTime ? ['start = world.clock.get()["now_ms"]'] : []),
    ...steps.flatMap((step, i) => [
      '',
      ...waitLine(step, steps[i - 1]),
      ...stepLines(step, { spelling, names }),
    ]),
    ...(ends.length > 0 ? ['', ...waitLine({ afterMs: endMs }, steps.at(-1))] : []),
    ...ends.map(({ task, status }) => `assert world.task(${nameIn(names, task)})["status"] == "${status}"`),
  ]
}

function ruleLine({ operation, nth, then }: Rule, spelling: Spelling): string {
  return `# The ${ordinal(nth)} ${operation} goes as it went then.\nworld.inject("${operation}", ${nth}, ${literal(then, spelling)})`
}

function waitLine({ afterMs }: Pick<Step, 'afterMs'>, before: Step | undefined): string[] {
  return afterMs > (before?.afterMs ?? 0) ? [`world.clock.advance_to(start + ${grouped(afterMs)})`] : []
}

interface Writing {
  spelling: Spelling
  names: Named
}

function stepLines(step: Step, { spelling, names }: Writing): string[] {
  switch (step.kind) {
    case 'force': {
      const error = step.error ? `, ${literal(step.error, spelling)}` : ''
      return [`world.force(${nameIn(names, step.task)}, "${step.status}"${error})`]
    }
    case 'expire':
      return [`world.expire_link(${nameIn(names, step.task)})`]
    case 'account':
      return [`world.change_account("${step.account}", ${literal(step.change, spelling)})`]
    case 'make':
      return [`${nameIn(names, step.task)} = world.create_task(${literal(step.body, spelling)})["id"]`]
    case 'call':
      return callLines(step, { spelling, names })
  }
}

function callLines(call: SentCall, { spelling, names }: Writing): string[] {
  const { file } = call
  const to = file
    ? `next(one["url"] for one in world.task(${nameIn(names, file.task)})["media"] if one["name"] == "${file.output}")`
    : pathWith(call.path, names)
  const key =
    call.account === null
      ? '"sk-wrong"'
      : call.key_label
        ? `world.key_for("${call.account}", "${call.key_label}")`
        : call.account === 'default'
          ? 'world.api_key'
          : `world.key_for("${call.account}")`
  const options = [
    ...(call.body === undefined ? [] : [`body=${literal(call.body, spelling)}`]),
    ...(file ? [] : [`key=${key}`]),
    ...(call.broken === 'stalled' ? ['patience=3'] : []),
    ...(file?.range ? [`range=${quoted(file.range)}`] : []),
  ]
  const send = `call(world, "${call.method}", ${[to, ...options].join(', ')})`
  const task = call.made === undefined ? [] : [`${nameIn(names, call.made)} = world.tasks()[0]["id"]`]
  const { held, phase } = call
  const waiting = `waiting${held?.id}`
  const result = 'status, headers, is_whole, data ='
  if (phase?.kind === 'sent')
    return [
      '# Its reply comes after that to a later call, and is read there.',
      `${waiting} = pool.submit(${send.replace('call(', 'call, ')}`,
      `while not ${waiting}.done() and [one["state"] for one in world.trace()["open"]] != ${literal(Array(phase.held).fill('held_back'), spelling)}:\n    time.sleep(0.02)`,
      ...task,
    ]
  if (phase) return [`${result} ${waiting}.result()`, ...expectations(call, { spelling, names })]
  return [
    ...(call.times > 1
      ? [`# ${call.times} times, all answered alike.`, `for _ in range(${call.times - 1}):\n    ${send}`]
      : []),
    `${result} ${send}`,
    ...expectations(call, { spelling, names }),
    ...task,
  ]
}

function expectations(call: SentCall, { spelling, names }: Writing): string[] {
  const { broken, file } = call
  const status = `assert status == ${call.hasHead ? call.status : 0}, data`
  if (broken === undefined)
    return [
      status,
      ...(call.retryAfter === undefined
        ? []
        : [`assert headers["Retry-After"] == ${quoted(call.retryAfter)}`]),
      ...(call.method === 'HEAD' ? [] : ['assert is_whole']),
      ...call.expected.map(
        ({ path, value }) =>
          `assert json.loads(data)${accessTo(path, 'python')} == ${literal(value, spelling)}`,
      ),
    ]
  switch (broken) {
    case 'cut':
    case 'reset':
    case 'stalled':
      return [status, `assert not is_whole  # ${broken}`]
    case 'empty':
      return [status, 'assert data == b""']
    case 'wrong_type':
      return [status, 'assert "text/html" in headers["Content-Type"]']
    case 'garbled':
      return file
        ? [
            status,
            `whole = urllib.request.urlopen(f"{world.control_url}/tasks/{urllib.parse.quote(${nameIn(names, file.task)}, safe='')}/media/${file.output}")`,
            'assert data != whole.read()',
          ]
        : [status, 'with pytest.raises(ValueError):\n    json.loads(data)']
  }
}

/** A path with the names of tasks in the place of their ids. */
function pathWith(path: string, names: Named): string {
  for (const [id, name] of names)
    for (const one of [id, encodeURIComponent(id)]) {
      if (!path.includes(one)) continue
      const [before = '', after = ''] = path.split(one, 2)
      return `${quoted(before)} + urllib.parse.quote(${name}, safe="")${after === '' ? '' : ` + ${quoted(after)}`}`
    }
  return quoted(path)
}

/** A name that Python takes: `a_lighthouse_at_dawn_failed`. */
function nameOf(title: string): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return words.join('_').slice(0, 70) || 'story'
}

function spellingFor(origin: string): Spelling {
  return {
    words: { true: 'True', false: 'False', null: 'None' },
    key: quoted,
    string: text =>
      text.startsWith(`${origin}/`) ? `world.base_url + ${quoted(text.slice(origin.length))}` : quoted(text),
    indent: '    ',
  }
}

/** Python reads what JSON escapes in a text. */
function quoted(text: string): string {
  return JSON.stringify(text)
}
