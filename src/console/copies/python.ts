import { indented, type Language } from './javascript.ts'
import { accessTo, literal, type Named, type Spelling } from './literal.ts'

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

/** Tests for pytest, with the package's plugin. `origin` is the emulator's address, which is another one when a test runs. */
export function python(origin: string): Language {
  const spelling: Spelling = {
    words: { true: 'True', false: 'False', null: 'None' },
    key: quoted,
    string: text =>
      text.startsWith(`${origin}/`) ? `world.base_url + ${quoted(text.slice(origin.length))}` : quoted(text),
    indent: '    ',
  }
  const written = (value: unknown) => literal(value, spelling)
  const result = 'status, headers, is_whole, data ='
  return {
    written,
    comment: '# ',
    file: ({ title, comments, lines, isHeld }) => [
      ...(isHeld ? ['import concurrent.futures'] : []),
      'import http.client',
      'import json',
      ...(isHeld ? ['import time'] : []),
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
      ...comments,
      '@pytest.mark.gateway(clock="manual")',
      `def test_${nameOf(title)}(world):`,
      ...(isHeld ? indented(['pool = concurrent.futures.ThreadPoolExecutor()'], spelling) : []),
      ...indented(lines, spelling),
    ],
    start: 'start = world.clock.get()["now_ms"]',
    advanceTo: ms => `world.clock.advance_to(start + ${ms})`,
    inject: (operation, nth, then) => `world.inject("${operation}", ${nth}, ${written(then)})`,
    force: (task, { status, error }) =>
      `world.force(${task}, "${status}"${error ? `, ${written(error)}` : ''})`,
    expireLink: task => `world.expire_link(${task})`,
    changeAccount: (account, change) => `world.change_account("${account}", ${written(change)})`,
    makeTask: (task, body) => `${task} = world.create_task(${written(body)})["id"]`,
    takeNewest: task => `${task} = world.tasks()[0]["id"]`,
    endsAs: (task, status) => `assert world.task(${task})["status"] == "${status}"`,
    ownKey: 'world.api_key',
    keyOf: (account, label) => `world.key_for("${account}"${label ? `, "${label}"` : ''})`,
    linkOf: (task, output) =>
      `next(one["url"] for one in world.task(${task})["media"] if one["name"] == "${output}")`,
    pathWith,
    send({ method, body, file, broken }, to, key) {
      const options = [
        ...(body === undefined ? [] : [`body=${written(body)}`]),
        ...(key === undefined ? [] : [`key=${key}`]),
        ...(broken === 'stalled' ? ['patience=3'] : []),
        ...(file?.range ? [`range=${quoted(file.range)}`] : []),
      ]
      return `call(${['world', `"${method}"`, to, ...options].join(', ')})`
    },
    repeat: (times, send) => `for _ in range(${times - 1}):\n    ${send}`,
    begin: (waiting, send, held) => [
      `${waiting} = pool.submit(${send.replace('call(', 'call, ')}`,
      `while not ${waiting}.done() and [one["state"] for one in world.trace()["open"]] != ${written(Array(held).fill('held_back'))}:\n    time.sleep(0.02)`,
    ],
    receive: (_, send) => `${result} ${send}`,
    receiveHeld: (_, waiting) => `${result} ${waiting}.result()`,
    hasStatus: (_, status) => `assert status == ${status}, data`,
    asksToWait: (_, text) => `assert headers["Retry-After"] == ${quoted(text)}`,
    isWhole: () => 'assert is_whole',
    isPart: (_, broken) => `assert not is_whole  # ${broken}`,
    isEmpty: () => 'assert data == b""',
    isPage: () => 'assert "text/html" in headers["Content-Type"]',
    isNoJson: () => 'with pytest.raises(ValueError):\n    json.loads(data)',
    has: (_, { path, value }) => `assert json.loads(data)${accessTo(path, 'python')} == ${written(value)}`,
    differsFrom: (_, task, output) => [
      `whole = urllib.request.urlopen(f"{world.control_url}/tasks/{urllib.parse.quote(${task}, safe='')}/media/${output}")`,
      'assert data != whole.read()',
    ],
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

/** Python reads what JSON escapes in a text. */
function quoted(text: string): string {
  return JSON.stringify(text)
}
