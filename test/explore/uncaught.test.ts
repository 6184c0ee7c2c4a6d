import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ownFrame } from '../../src/explore/judge/uncaught/error.ts'
import { uncaughtErrorOf } from '../../src/explore/judge/uncaught/index.ts'
import type { Run } from '../../src/explore/run/run.ts'
import { ownFolder } from '../support/folders.ts'
import { root } from '../support/fresh-build.ts'

const found = (errors: string, code = 1, output = errors) => {
  const run: Run = { exit: { kind: 'ended', code }, output, errors, ms: 1 }
  return uncaughtErrorOf(run)
}
const kindOf = (...args: Parameters<typeof found>) => judged(...args)?.[0]
const judged = (...args: Parameters<typeof found>) => {
  const error = found(...args)
  return error && [error.isOfData ? 'crashed' : 'uncaught', error.line]
}

const nodeError = (place: string, source: string, error: string) =>
  `${place}\n${source}\n      ^\n\n${error}\n    at main (${place})\n\nNode.js v20.20.2\n`
const traceback = (frame: string, source: string, error: string) =>
  `Traceback (most recent call last):\n  File "app.py", line 9, in <module>\n    main()\n  File "${frame}", line 3, in main\n    ${source}\n${error}\n`

const inNode = (place: string, source: string) => (error: string) => nodeError(place, source, error)
const noUrl = "TypeError: Cannot read properties of undefined (reading 'url')"
const notJson = 'SyntaxError: Unexpected token \'<\', "<html>" is not valid JSON'

const crashes: [name: string, print: (line: string) => string, line: string][] = [
  ['a TypeError of Node', inNode('file:///app/app.mjs:3', 'task.content.url'), noUrl],
  ['an answer that is not JSON, in Node', inNode('<anonymous_script>:1', '<html>'), notJson],
  [
    'an answer that a schema of zod refuses, whose message is a list in JSON',
    () =>
      nodeError(
        'file:///app/app.mjs:3',
        'Created.parse(answer)',
        'ZodError: [\n  {\n    "code": "invalid_type",\n    "path": [\n      "id"\n    ],\n    "message": "Invalid input: expected string"\n  }\n]',
      ),
    'ZodError: Invalid input: expected string',
  ],
  [
    'a TypeError of a Node program in one line, below which Node prints no caret',
    line =>
      nodeError('file:///app/bundle.mjs:3', 'x();'.repeat(500), line).replace(/ {6}\^/, ' '.repeat(1020)),
    noUrl,
  ],
  [
    'a TypeError of Bun, which prints the source above it',
    line =>
      `1 | const j = r => r.json()\n2 | j({}).x\n    ^\n${line}\n      at j (/app/e.mjs:1:34)\n\nBun v1.4.5 (Linux x64)\n`,
    'TypeError: r.json is not a function',
  ],
  ['a KeyError of Python', line => traceback('app.py', "return task['id']", line), "KeyError: 'id'"],
  [
    'a panic of Go',
    line => `${line}\n\ngoroutine 1 [running]:\nmain.main()\n`,
    'panic: runtime error: index out of range [0] with length 0',
  ],
  [
    'a NoMethodError of Ruby',
    line => `${line}\n`,
    "app.rb:3:in `<main>': undefined method `fetch' for nil:NilClass (NoMethodError)",
  ],
  [
    'a NoMethodError in a script of Ruby whose name has no ending',
    line => `${line}\n\tfrom bin/worker:9:in \`<main>'\n`,
    "bin/worker:3:in `read': undefined method `first' for nil:NilClass (NoMethodError)",
  ],
  [
    'a NullPointerException of Java',
    line => `${line}\n\tat App.main(App.java:3)\n`,
    'Exception in thread "main" java.lang.NullPointerException: task is null',
  ],
  [
    'a panic of Rust',
    () => "thread 'main' panicked at src/main.rs:4:10:\ncalled `Option::unwrap()` on a `None` value\n",
    "thread 'main' panicked at src/main.rs:4:10: called `Option::unwrap()` on a `None` value",
  ],
  [
    'a TypeError of PHP',
    line => `${line}\n`,
    'PHP Fatal error:  Uncaught TypeError: Argument 1 must be of type array in /app/app.php:3',
  ],
  [
    'a NullReferenceException of .NET',
    line => `${line}\n   at App.Main()\n`,
    'Unhandled exception. System.NullReferenceException: Object reference not set to an instance of an object.',
  ],
]

const words: [name: string, output: string][] = [
  ['a line on stderr', 'the gateway answered 403: moderated\n'],
  ['nothing at all', ''],
  ['a log.Fatal of Go', '2026/01/01 00:00:00 task failed: moderated\nexit status 1\n'],
  ['an Err that main of a Rust program returns', 'Error: "the task failed"\n'],
  ['a word such as Error in a log', 'INFO retry after TypeError-like answer\nERROR task expired\n'],
]

const twoLibraries: [name: string, place: string][] = [
  ['a folder of the program', '/app/lib/settle.js:19'],
  ['node_modules', '/app/node_modules/axios/lib/core/settle.js:19'],
  ['an installation from its sources', '/src/axios/lib/core/settle.js:19'],
]

// biome-ignore format: a table, one row a line
const stated: [name: string, output: string][] = [
  ['a failed fetch of Node', nodeError('node:internal/deps/undici/undici:14976', 'Error.captureStackTrace(err);', 'TypeError: fetch failed')],
  ['an error of a library in Node', nodeError('/app/node_modules/axios/lib/core/settle.js:19', 'throw new AxiosError(', 'AxiosError: Request failed with status code 503')],
  [
    'a rejection of Node that is no error',
    "[UnhandledPromiseRejection: This error originated either by throwing inside of an async function] {\n  code: 'ERR_UNHANDLED_REJECTION'\n}\n\nNode.js v20.20.2\n",
  ],
  ['a Node program whose await never ends', 'Warning: Detected unsettled top-level await at file:///app.mjs:3\nawait x\n'],
  [
    "an error of Python's standard library",
    traceback(
      '/usr/lib/python3.11/urllib/request.py',
      'raise HTTPError(req.full_url, code, msg, hdrs, fp)',
      'urllib.error.HTTPError: HTTP Error 503: Service Unavailable',
    ),
  ],
  [
    'an error of a Python library',
    traceback(
      '/venv/site-packages/requests/models.py',
      'raise HTTPError(http_error_msg, response=self)',
      'requests.exceptions.HTTPError: 503 Server Error',
    ),
  ],
  [
    'an Error that a Node program throws itself',
    nodeError(
      'file:///app/app.mjs:3',
      "if (!reply.ok) throw new Error('the poll was refused')",
      'Error: the poll was refused',
    ),
  ],
  ['an Error of Bun with the words of another one', "1 | throw new Error(String(error))\n          ^\nerror: TypeError: fetch failed twice: x is null\n      at poll (/app/e.ts:1:7)\n\nBun v1.4.5 (Linux x64)\n"],
  ['an error class of a Node program', nodeError('/app/gateway.js:3', '  throw new GatewayError(status)', 'GatewayError: 503')],
  ['an exception that a Python program raises itself', traceback('app.py', "raise RuntimeError('task failed')", 'RuntimeError: task failed')],
  ['an exception class of a Python program', traceback('/app/gateway.py', 'raise TaskFailed(task)', 'gateway.TaskFailed: moderated')],
  ['a RuntimeException of Java', 'Exception in thread "main" java.lang.RuntimeException: the task failed\n\tat App.main(App.java:3)\n'],
  ['a raise of Ruby', "app.rb:3:in `<main>': the task failed (RuntimeError)\n"],
  ['a refused connection of Ruby', "/usr/lib/ruby/net/http.rb:1018:in `initialize': Connection refused (Errno::ECONNREFUSED)\n"],
  ['a ValueError that a Python program raises', traceback('app.py', "raise ValueError('the task failed')", 'ValueError: the task failed')],
  ['an assertion with words in Python', traceback('app.py', "assert ok, 'HTTP 503'", 'AssertionError: HTTP 503')],
  [
    'an exception of Python with a message of several lines',
    traceback(
      '/venv/site-packages/sdk/rest.py',
      'raise ApiException(http_resp=r)',
      'sdk.rest.ApiException: (503)\nReason: Service Unavailable\nHTTP response body: {}',
    ),
  ],
  [
    'a group of refused connections in Python',
    '  + Exception Group Traceback (most recent call last):\n  |   File "app.py", line 9, in main\n  | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)\n  +-+---------------- 1 ----------------\n    | Traceback (most recent call last):\n    |   File "app.py", line 3, in poll\n    |     raise ConnectionError(\'refused\')\n    | ConnectionError: refused\n    +------------------------------------\n',
  ],
  ['a failed connection of Rust that main returns', 'Error: reqwest::Error { kind: Status(503), url: "http://x" }\n'],
  ['an HttpRequestException of .NET', 'Unhandled exception. System.Net.Http.HttpRequestException: Response status code does not indicate success: 503\n   at App.Main()\n'],
  ['a raise of Ruby without words', "app.rb:3:in `<main>': unhandled exception\n"],
  ['an exception of a PHP program that carries another one', 'PHP Fatal error:  Uncaught JsonException: Syntax error in /app/a.php:3\nStack trace:\n#0 {main}\n\nNext GatewayException: no JSON in /app/a.php:5\nStack trace:\n#0 {main}\n  thrown in /app/a.php on line 5\n'],
  ['a RuntimeException of PHP', 'PHP Fatal error:  Uncaught RuntimeException: HTTP 503 in /app/app.php:5\n'],
  [
    'a time-out of Node',
    'node:internal/deps/undici/undici:14976\n      Error.captureStackTrace(err);\n            ^\nDOMException [TimeoutError]: The operation was aborted due to timeout\n    at file:///app/n.mjs:21:1\n\nNode.js v20.20.2\n',
  ],
  [
    'a text that a Node program throws',
    'node:internal/modules/run_main:123\n    triggerUncaughtException(\n    ^\nrefused\n(Use `node --trace-uncaught ...` to show where the exception was thrown)\n\nNode.js v20.20.2\n',
  ],
]

describe('an uncaught error about the data of the program is a crash (docs/explore.md, "What it says": crashed)', () => {
  it.each(crashes)('%s', (_, print, line) => {
    expect(judged(print(line))).toEqual(['crashed', line])
  })
})

describe('an uncaught error that states what happened is no crash (docs/explore.md, "What it says": uncaught)', () => {
  it.each(stated)('%s', (_, output) => {
    expect(kindOf(output)).toBe('uncaught')
  })

  it.each(twoLibraries)('a library in %s makes no difference', (_, place) => {
    expect(judged(nodeError(place, 'throw new AxiosError(', 'AxiosError: status code 503'))?.[0]).toBe(
      'uncaught',
    )
    expect(judged(nodeError(place, 'throw new TypeError(', 'TypeError: data is null'))?.[0]).toBe('crashed')
    const file = place.replace('node_modules', 'site-packages').replace('.js:19', '.py')
    expect(kindOf(traceback(file, 'raise HTTPError(x)', 'sdk.HTTPError: 503'))).toBe('uncaught')
    expect(kindOf(traceback(file, 'raise JSONDecodeError(x)', 'json.JSONDecodeError: line 1'))).toBe(
      'crashed',
    )
  })
})

describe('text that a program prints itself is no uncaught error (docs/explore.md, "What it says": told)', () => {
  it.each(words)('%s', (_, output) => {
    expect(judged(output)).toBeUndefined()
  })

  it('an error that the program printed with its stack and then explained', () => {
    const printed = 'TypeError: x is undefined\n    at main (file:///app/app.mjs:3:1)\n'
    expect(judged(printed)).toEqual(['crashed', 'TypeError: x is undefined'])
    expect(judged(`${printed}gave up after three attempts\n`)).toBeUndefined()
    expect(judged('Error: refused with 503\n    at main (file:///app/app.mjs:3:1)\n')).toBeUndefined()
    const logged = traceback('app.py', "task['id']", "KeyError: 'id'")
    expect(judged(`${logged}gave up after three attempts\n`)).toBeUndefined()
    expect(judged(traceback('app.py', 'raise HTTPError(x)', 'sdk.HTTPError: 503'), 3)).toBeUndefined()
  })

  it('the error of a tool in a shell script, when it is not the last word or the exit code is another', () => {
    const curl = "curl: (7) Failed to connect to 127.0.0.1 port 9: Couldn't connect to server\n"
    expect(kindOf(curl, 7)).toBe('uncaught')
    expect(judged(`${curl}no answer\n`, 7)).toBeUndefined()
    expect(judged(curl, 1)).toBeUndefined()
    expect(kindOf('jq: error (at <stdin>:1): Cannot index string\n', 5)).toBe('crashed')
  })
})

it('the first word of what Bun prints of an Error is no class', () => {
  const output = (error: string) =>
    `1 | f()\n    ^\n${error}\n      at retry (/app/e.ts:16:33)\n\nBun v1.4.5 (Linux x64)\n`
  expect(found(output('error: create: 403'))).toMatchObject({ name: 'error', line: 'error: create: 403' })
  expect(found(output('ApiError: create: 403'))?.name).toBe('ApiError')
  const deno = 'error: Uncaught (in promise) ApiError: create: 403\n    at retry (file:///app/e.ts:16:33)\n'
  expect(found(deno)?.name).toBe('ApiError')
})

it('of a chain of exceptions the last one decides, and the frames of all are known (docs/explore.md, "What it says")', () => {
  const first = traceback(
    '/venv/site-packages/urllib3/pool.py',
    'raise NewConnectionError(x)',
    'urllib3.NewConnectionError: refused',
  )
  const chain = `${first}\nDuring handling of the above exception, another exception occurred:\n\n${traceback('app.py', 'print(error.reply)', "AttributeError: 'x' object has no attribute 'reply'")}`
  expect(kindOf(chain)).toBe('crashed')
  expect(found(chain)?.frames.map(({ file, name }) => `${file} ${name}`)).toEqual([
    'app.py main',
    'app.py <module>',
    '/venv/site-packages/urllib3/pool.py main',
    'app.py <module>',
  ])
})

const undefinedLink = "TypeError: Cannot read properties of undefined (reading 'video_url')"
const suites: Record<string, (error: string) => string> = {
  vitest: error =>
    `\n FAIL  v.test.mjs > makes a video\n${error}\n ❯ Object.link lib.cjs:1:37\n      1| exports.link = task => task.content\n ❯ v.test.mjs:3:48\n\n⎯⎯⎯[1/2]⎯\n`,
  jest: error =>
    `FAIL ./j.test.js\n  ● makes a video\n\n    ${error}\n\n    > 1 | exports.link\n\n      at Object.link (lib.cjs:1:139)\n\nTests:       1 failed, 1 total\n`,
  mocha: error =>
    `  0 passing (8ms)\n  1 failing\n\n  1) makes a video:\n     ${error}\n      at link (lib.cjs:1:37)\n      at Context.<anonymous> (m.cjs:2:48)\n\n`,
  Playwright: error =>
    `  1) p.spec.js:3:1 › makes a video ───\n\n    ${error}\n\n       at lib.cjs:1\n\n        at Object.link (/app/lib.cjs:1:37)\n\n  1 failed\n    p.spec.js:3:1 › makes a video ───\n`,
  'node:test': error =>
    `TAP version 13\nnot ok 1 - makes a video\n  ---\n  failureType: 'testCodeFailure'\n  error: "${error.split(': ')[1]}"\n  code: 'ERR_TEST_FAILURE'\n  name: '${error.split(':')[0]}'\n  stack: |-\n    link (/app/lib.cjs:1:37)\n  ...\n# fail 1\n`,
}

it.each(Object.entries(suites))(
  'a test that %s ran is a crash only for an error about its data',
  (_, report) => {
    expect(judged('', 1, report(undefinedLink))).toEqual(['crashed', undefinedLink])
    expect(ownFrame(found('', 1, report(undefinedLink))?.frames ?? [], '/app')).toBe('lib.cjs:1 `link`')

    expect(judged('', 1, report('TypeError: fetch failed'))).toBeUndefined()
    expect(judged('', 1, report('AssertionError: Expected values to be equal'))).toBeUndefined()
    expect(judged('', 1, report('ApiError: 503'))).toBeUndefined()
  },
)

it.each(['mocha', 'Playwright', 'node:test'])('%s reports on its output, beside what others wrote', name => {
  const warned = 'npm warn old\n'
  const output = `${warned}${suites[name]?.(undefinedLink)}`
  expect(judged(warned, 1, output)).toEqual(['crashed', undefinedLink])
})

it('a test that unittest ran is a crash only for an error about its data', () => {
  const report = (error: string) =>
    `E\n${'='.repeat(70)}\nERROR: test_video (t.T)\n${'-'.repeat(70)}\n${traceback('t.py', 'call()', error)}\n${'-'.repeat(70)}\nRan 1 test in 0.001s\n\nFAILED (errors=1)\n`
  expect(judged(report("KeyError: 'url'"))).toEqual(['crashed', "KeyError: 'url'"])
  expect(judged(report('urllib.error.HTTPError: HTTP Error 503'))).toBeUndefined()
  expect(judged(report('AssertionError'))).toBeUndefined()
})

it('a test that pytest ran is a crash only for an error about its data', () => {
  const report = (error: string) =>
    `test_x.py:12: in test_x\n    call()\nE   ${error}\n\ntest_x.py:7: ${error.split(':')[0]}\n`
  expect(judged('', 1, report("KeyError: 'id'"))).toEqual(['crashed', "KeyError: 'id'"])
  expect(judged('', 1, report("    KeyError: 'id'"))).toEqual(['crashed', "KeyError: 'id'"])
  expect(judged('', 1, report('sdk.HTTPError: 503'))).toBeUndefined()
  expect(judged('', 1, report('AssertionError: not done'))).toBeUndefined()
})

it('a traceback of sys.exit in a task of asyncio is no error', () => {
  const text = `gave up: 404\nTask exception was never retrieved\nfuture: <Task finished>\n${traceback('app.py', "sys.exit('gave up: 404')", 'SystemExit: gave up: 404')}`
  expect(found(text)).toBeUndefined()
})

it.each([
  ['2026-11-24 08:31:05 ERROR no video', 'urllib.error.HTTPError: HTTP Error 503: Down', undefined],
  ['future: <Task finished coro=<poll()>>', 'sdk.ApiError: 503', undefined],
  ['ERROR:root:no video', "KeyError: 'url'", 'crashed, printed'],
  ['waiting', 'sdk.ApiError: 503', 'uncaught, not printed'],
])('a traceback below "%s": %s', (above, error, expected) => {
  const first = `${traceback('pool.py', 'connect()', 'OSError: refused')}\nThe above exception was the direct cause of the following exception:\n\n`
  const read = found(`${above}\n${first}${traceback('app.py', 'raise error', error)}`)
  const how =
    read && `${read.isOfData ? 'crashed' : 'uncaught'}, ${read.isPrinted ? 'printed' : 'not printed'}`
  expect(how).toBe(expected)
})

it('an error that only carries another one is told by that one: tenacity in Python, a cause in Node', () => {
  const retried = `${traceback('app.py', 'r.raise_for_status()', 'httpx.HTTPStatusError: 503')}\nThe above exception was the direct cause of the following exception:\n\n${traceback('app.py', 'raise retry_exc', 'tenacity.RetryError: RetryError[<Future at 0x7f36 state=finished raised HTTPStatusError>]')}`
  expect(judged(retried)).toEqual(['uncaught', 'httpx.HTTPStatusError: 503'])
  const caused =
    'file:///app/a.mjs:7\nthrow\n^\n\nError\n    at run (file:///app/a.mjs:7:9) {\n  [cause]: TypeError: x is not a function\n      at run (file:///app/a.mjs:8:9)\n}\n\nNode.js v20.20.2\n'
  expect(judged(caused)).toEqual(['crashed', 'TypeError: x is not a function'])
})

it.each([
  [
    '{"error":{"code":"Down"}}',
    'RuntimeError: HTTP 503 from http://x',
    'RuntimeError: HTTP 503 from http://x',
  ],
  ['<html>\n<center>502</center>', 'RuntimeError: HTTP 502', 'RuntimeError: HTTP 502'],
  ['  "status": "failed"\n}', 'RuntimeError: {', 'RuntimeError: { "status": "failed" }'],
])('a message of several lines is one error: %s', (below, first, line) => {
  expect(judged(traceback('app.py', 'raise RuntimeError(detail)', `${first}\n${below}`))).toEqual([
    'uncaught',
    line,
  ])
})

it('an error of Node that refers to itself has its class', () => {
  const text = nodeError('file:///app/a.mjs:10', 'post()', '<ref *1> AxiosError: timeout of 10000ms exceeded')
  expect(found(text)).toMatchObject({ name: 'AxiosError', line: 'AxiosError: timeout of 10000ms exceeded' })
})

it('an error about data that the program printed may begin in the engine, and take several lines', () => {
  const stack = '    at JSON.parse (<anonymous>)\n    at call (/app/a.js:8:3)\n'
  const printed = `failed: SyntaxError: Unexpected token '<', "<html>\n<h"... is not valid JSON\n${stack}`
  expect(found(printed)).toMatchObject({
    line: `SyntaxError: Unexpected token '<', "<html> <h"... is not valid JSON`,
    isOfData: true,
    isPrinted: true,
  })
  expect(found(`TypeError: x\n${stack}giving up\n`)).toBeUndefined()
})

it.each(
  // biome-ignore format: a table, one row a line
  [
  ['the file in the working folder', ['/venv/site-packages/a.py', '/app/kling.py', '/app/main.py'], 'kling.py:1 `run`'],
  ['the folder, not a library that was installed from its sources', ['/src/sdk/api.py', '/app/main.py'], 'main.py:1 `run`'],
  ['the other file, when none is in the folder', ['node:internal/x', '/elsewhere/x.js'], '/elsewhere/x.js:1 `run`'],
  [
    'the file of the program, not the module that ties it to its world',
    [
      join(root, 'dist/virtual-time.js'),
      join(root, 'python/generation_gateway_emulator/virtual_time.py'),
      '/x/a.js',
    ],
    '/x/a.js:1 `run`',
  ],
  ['a file that is named from the folder', ['Video.java'], 'Video.java:1 `run`'],
  ['nothing, when all are of the runtime', ['/usr/lib/python3.11/json/decoder.py'], undefined],
],
)('a cause names the innermost frame in %s (docs/explore.md, "What it says")', (_, files, expected) => {
  const frames = files.map(file => ({ file, line: 1, name: 'run' }))
  expect(ownFrame(frames, '/app')).toBe(expected)
})

it('a cause names no file of a package that pip put below the working folder, and the program beside it', () => {
  const folder = ownFolder('own-frame')
  for (const name of ['httpx', 'httpx-0.28.1.dist-info', 'steps']) mkdirSync(join(folder, name))
  const frames = ['httpx/_models.py', 'steps/poll.py', 'app.py'].map(file => ({
    file: join(folder, file),
    line: 7,
  }))
  expect(ownFrame(frames, folder)).toBe('steps/poll.py:7')
})

it.each([
  ['a block', "w.rb:3:in `block (2 levels) in perform': refused (Refused)\n", 'w.rb:3 `perform`'],
  [
    'the caller of a method in C, which has its line',
    "w.rb:3:in `fetch': key not found: 1 (KeyError)\n\tfrom w.rb:3:in `read'\n\tfrom w.rb:9:in `<main>'\n",
    'w.rb:3 `read`',
  ],
])('a frame of Ruby names the method of %s', (_, text, where) => {
  expect(ownFrame(found(text)?.frames ?? [], '/app')).toBe(where)
})

// biome-ignore format: a table, one row a line
it.each([
  ["Can't use an undefined value as an ARRAY reference at worker.pl line 12.\n", 255, 'crashed', 'worker.pl:12'],
  ['again\nNot a HASH reference at worker.pl line 12, <STDIN> line 3.\n', 2, 'crashed', 'worker.pl:12'],
  ['malformed JSON string, neither array nor object, at character offset 0 (before "<html>") at worker.pl line 12.\n', 255, 'crashed', 'worker.pl:12'],
  ['no link at /usr/local/share/perl/5.36.0/Gateway.pm line 5.\n\tGateway::link(1) called at worker.pl line 9\n', 255, 'uncaught', 'worker.pl:9'],
  ['Connection refused at worker.pl line 9.\n', 111, 'uncaught', 'worker.pl:9'],
  ['the task failed\n', 255, undefined, undefined],
  ["Can't use an undefined value as an ARRAY reference at worker.pl line 12.\n", 1, undefined, undefined],
  ['Use of uninitialized value at worker.pl line 12.\nthe task failed\n', 255, undefined, undefined],
])('Perl adds the place to what it dies of, and ends with another code than after a warning: %j, %d', (text, code, kind, where) => {
  expect(kindOf(text, code)).toBe(kind)
  expect(ownFrame(found(text, code)?.frames ?? [], '/app')).toBe(where)
})

it('a frame of Node names the file as it is on disk, not as in a URL', () => {
  const error = found(nodeError('file:///app/my%20app%25.mjs:3', 'x', 'TypeError: x is not a function'))
  expect(error?.frames.map(({ file }) => file)).toEqual(['/app/my app%.mjs'])
})
