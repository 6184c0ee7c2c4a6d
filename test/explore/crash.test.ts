import { describe, expect, it } from 'vitest'
import { crashLineIn } from '../../src/explore/crash.ts'

const nodeError = (place: string, source: string, error: string) =>
  `${place}\n${source}\n      ^\n\n${error}\n    at main (${place})\n\nNode.js v20.20.2\n`
const traceback = (frame: string, source: string, error: string) =>
  `Traceback (most recent call last):\n  File "app.py", line 9, in <module>\n    main()\n  File "${frame}", line 3, in main\n    ${source}\n${error}\n`

const crashes: [name: string, output: string, line: string][] = [
  [
    'a TypeError of Node',
    nodeError(
      'file:///app/app.mjs:3',
      'task.content.url',
      "TypeError: Cannot read properties of undefined (reading 'url')",
    ),
    "TypeError: Cannot read properties of undefined (reading 'url')",
  ],
  [
    'a failed fetch of Node',
    nodeError(
      'node:internal/deps/undici/undici:14976',
      'Error.captureStackTrace(err);',
      'TypeError: fetch failed',
    ),
    'TypeError: fetch failed',
  ],
  [
    'an answer that is not JSON, in Node',
    nodeError(
      '<anonymous_script>:1',
      '<html>',
      'SyntaxError: Unexpected token \'<\', "<html>" is not valid JSON',
    ),
    'SyntaxError: Unexpected token \'<\', "<html>" is not valid JSON',
  ],
  [
    'an error of a library in Node',
    nodeError(
      '/app/node_modules/axios/lib/core/settle.js:19',
      'throw new AxiosError(',
      'AxiosError: Request failed with status code 503',
    ),
    'AxiosError: Request failed with status code 503',
  ],
  [
    'a rejection of Node that is no error',
    "[UnhandledPromiseRejection: This error originated either by throwing inside of an async function] {\n  code: 'ERR_UNHANDLED_REJECTION'\n}\n\nNode.js v20.20.2\n",
    '[UnhandledPromiseRejection: This error originated either by throwing inside of an async function] {',
  ],
  [
    'a Node program whose await never ends',
    'Warning: Detected unsettled top-level await at file:///app.mjs:3\nawait x\n',
    'Warning: Detected unsettled top-level await at file:///app.mjs:3',
  ],
  ['a KeyError of Python', traceback('app.py', "return task['id']", "KeyError: 'id'"), "KeyError: 'id'"],
  [
    "an error of Python's standard library",
    traceback(
      '/usr/lib/python3.11/urllib/request.py',
      'raise HTTPError(req.full_url, code, msg, hdrs, fp)',
      'urllib.error.HTTPError: HTTP Error 503: Service Unavailable',
    ),
    'urllib.error.HTTPError: HTTP Error 503: Service Unavailable',
  ],
  [
    'an error of a Python library',
    traceback(
      '/venv/site-packages/requests/models.py',
      'raise HTTPError(http_error_msg, response=self)',
      'requests.exceptions.HTTPError: 503 Server Error',
    ),
    'requests.exceptions.HTTPError: 503 Server Error',
  ],
  [
    'a panic of Go',
    'panic: runtime error: index out of range [0] with length 0\n\ngoroutine 1 [running]:\nmain.main()\n',
    'panic: runtime error: index out of range [0] with length 0',
  ],
  [
    'a NoMethodError of Ruby',
    "app.rb:3:in `<main>': undefined method `fetch' for nil:NilClass (NoMethodError)\n",
    "app.rb:3:in `<main>': undefined method `fetch' for nil:NilClass (NoMethodError)",
  ],
  [
    'a NullPointerException of Java',
    'Exception in thread "main" java.lang.NullPointerException: task is null\n\tat App.main(App.java:3)\n',
    'Exception in thread "main" java.lang.NullPointerException: task is null',
  ],
  [
    'a panic of Rust',
    "thread 'main' panicked at src/main.rs:4:10:\ncalled `Option::unwrap()` on a `None` value\n",
    "thread 'main' panicked at src/main.rs:4:10:",
  ],
  [
    'a TypeError of PHP',
    'PHP Fatal error:  Uncaught TypeError: Argument 1 must be of type array in /app/app.php:3\n',
    'PHP Fatal error:  Uncaught TypeError: Argument 1 must be of type array in /app/app.php:3',
  ],
  [
    'a NullReferenceException of .NET',
    'Unhandled exception. System.NullReferenceException: Object reference not set to an instance of an object.\n   at App.Main()\n',
    'Unhandled exception. System.NullReferenceException: Object reference not set to an instance of an object.',
  ],
]

const words: [name: string, output: string][] = [
  ['a line on stderr', 'the gateway answered 403: moderated\n'],
  ['nothing at all', ''],
  [
    'an Error that a Node program throws itself',
    nodeError(
      'file:///app/app.mjs:3',
      "if (!reply.ok) throw new Error('the poll was refused')",
      'Error: the poll was refused',
    ),
  ],
  [
    'an error class of a Node program',
    nodeError('/app/gateway.js:3', '  throw new GatewayError(status)', 'GatewayError: 503'),
  ],
  [
    'an exception that a Python program raises itself',
    traceback('app.py', "raise RuntimeError('task failed')", 'RuntimeError: task failed'),
  ],
  [
    'an exception class of a Python program',
    traceback('/app/gateway.py', 'raise TaskFailed(task)', 'gateway.TaskFailed: moderated'),
  ],
  ['a log.Fatal of Go', '2026/01/01 00:00:00 task failed: moderated\nexit status 1\n'],
  ['a raise of Ruby', "app.rb:3:in `<main>': the task failed (RuntimeError)\n"],
  ['an Err that main of a Rust program returns', 'Error: "the task failed"\n'],
  [
    'a RuntimeException of Java',
    'Exception in thread "main" java.lang.RuntimeException: the task failed\n\tat App.main(App.java:3)\n',
  ],
  ['a word such as Error in a log', 'INFO retry after TypeError-like answer\nERROR task expired\n'],
]

describe('an uncaught error is a crash (explore, "Verdicts")', () => {
  it.each(crashes)('%s', (_, output, line) => {
    expect(crashLineIn(output)).toBe(line)
  })
})

describe('text that a program prints or throws itself is not a crash (explore, "Verdicts")', () => {
  it.each(words)('%s', (_, output) => {
    expect(crashLineIn(output)).toBeUndefined()
  })
})
