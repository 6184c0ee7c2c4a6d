import { accessTo, grouped, literal, ordinal, type Spelling } from './literal.ts'
import type { Step, TestPlan } from './plan.ts'

/** A test for pytest, with the package's plugin. `origin` is the emulator's address, which is another one when the test runs. */
export function pythonTest(plan: TestPlan, origin: string): string {
  const spelling = spellingFor(origin)
  return [
    'import json',
    'import urllib.error',
    'import urllib.parse',
    'import urllib.request',
    '',
    'import pytest',
    '',
    '',
    ...callFunction(),
    '',
    '',
    `# Written by the console from the story of the task ${plan.id}.`,
    '@pytest.mark.gateway(clock="manual")',
    `def test_${nameOf(plan.title)}(world):`,
    ...bodyOf(plan, spelling).map(line => (line === '' ? '' : `    ${line.replaceAll('\n', '\n    ')}`)),
    '',
  ].join('\n')
}

function callFunction(): string[] {
  return [
    '# Put calls of your own client in the place of these: it needs world.base_url and the key.',
    'def call(world, key, method, path, body=None):',
    '    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}',
    '    data = None if body is None else json.dumps(body).encode()',
    '    request = urllib.request.Request(world.base_url + path, data, headers, method=method)',
    '    try:',
    '        with urllib.request.urlopen(request) as reply:',
    '            return reply.status, json.loads(reply.read() or b"null")',
    '    except urllib.error.HTTPError as refused:',
    '        return refused.code, json.loads(refused.read() or b"null")',
  ]
}

function bodyOf(plan: TestPlan, spelling: Spelling): string[] {
  const usesTime = plan.steps.some(({ afterMs }) => afterMs > 0)
  return [
    `key = ${plan.account === 'default' ? 'world.api_key' : `world.key_for("${plan.account}")`}`,
    ...plan.shapes.flatMap(({ operation, nth, effect }) => [
      `# The ${ordinal(nth)} ${operation} from here on goes as it went then.`,
      `world.inject("${operation}", ${nth}, ${literal(effect, spelling)})`,
    ]),
    '',
    ...(usesTime ? ['start = world.clock.get()["now_ms"]'] : []),
    ...makeLines(plan, spelling),
    ...plan.steps.flatMap((step, i) => [
      '',
      ...stepLines(step, plan, { spelling, before: plan.steps[i - 1]?.afterMs ?? 0 }),
    ]),
    '',
    ...endLines(plan, spelling),
  ]
}

function makeLines({ make, isWhole }: TestPlan, spelling: Spelling): string[] {
  const warning = isWhole
    ? []
    : ['# The journal keeps digests of long texts and files: put your own in their place.']
  if (make.kind === 'control')
    return [...warning, `id = world.create_task(${literal(make.body, spelling)})["id"]`]
  const { method, path, body, status } = make
  return [
    ...warning,
    `status, created = call(world, key, "${method}", "${path}", ${literal(body, spelling)})`,
    `assert status == ${status}, created`,
    'id = world.tasks()[0]["id"]',
  ]
}

function stepLines(
  step: Step,
  { id }: TestPlan,
  { spelling, before }: { spelling: Spelling; before: number },
): string[] {
  const wait = step.afterMs > before ? [`world.clock.advance_to(start + ${grouped(step.afterMs)})`] : []
  switch (step.kind) {
    case 'force': {
      const error = step.error ? `, ${literal(step.error, spelling)}` : ''
      return [...wait, `world.force(id, "${step.status}"${error})`]
    }
    case 'download':
      return [
        ...wait,
        `link = next(file["url"] for file in world.task(id)["media"] if "/${step.file}" in file["url"])`,
        `assert urllib.request.urlopen(link).status == ${step.status}`,
      ]
    case 'call': {
      const times = step.times > 1 ? [`# ${step.times} times then, all answered alike.`] : []
      return [
        ...wait,
        ...times,
        `status, reply = call(world, key, "${step.method}", ${pathWithId(step.path, id)})`,
        `assert status == ${step.status}, reply`,
        ...step.expected.map(
          ({ path, value }) => `assert reply${accessTo(path, 'python')} == ${literal(value, spelling)}`,
        ),
      ]
    }
  }
}

function endLines({ end, steps }: TestPlan, spelling: Spelling): string[] {
  const last = steps.at(-1)?.afterMs ?? 0
  return [
    ...(end.afterMs > last ? [`world.clock.advance_until({"task": id, "status": "${end.status}"})`] : []),
    `assert world.task(id)["status"] == "${end.status}"`,
    ...(end.code === undefined
      ? []
      : [`assert world.task(id)["view"]["error"]["code"] == ${literal(end.code, spelling)}`]),
  ]
}

function pathWithId(path: string, id: string): string {
  const own = [id, encodeURIComponent(id)].find(one => path.includes(one))
  if (own === undefined) return quoted(path)
  const [before = '', after = ''] = path.split(own, 2)
  return `${quoted(before)} + urllib.parse.quote(id, safe="")${after === '' ? '' : ` + ${quoted(after)}`}`
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
