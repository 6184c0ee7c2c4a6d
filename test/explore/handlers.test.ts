import { expect, it } from 'vitest'
import { partsOf } from '../../src/explore/run/handlers.ts'

const told = (path: string, source: string) =>
  partsOf(path, source).handlers.map(({ handler: { line, kind }, from }) => [
    `${line} ${kind}`,
    source.slice(from.index).split('\n', 1)[0],
  ])

const ofEvents = `require('net').connect(1).on('error', function (error) { log(error) }).on('data', data => {})
source?.addEventListener('error', () => stop())
task.catch(error =>
  fail(error)).finally(() => {})
task.catch(fail)
return
`
const ofStatuses = `if (reply.statusCode >= 400) refuse()
else if (isOk) { /* else */ } else { }
if ('status' in text) { }
switch (task.state) {
  case 'failed':
  case 'expired': throw new Error('case')
  default: { go() }
}
try { await ask() } catch { } finally { close() }
`

it.each([
  [
    'CommonJS with callbacks',
    'a.cjs',
    ofEvents,
    [
      ['1 catch', "log(error) }).on('data', data => {})"],
      ['2 catch', 'stop())'],
      ['3 catch', 'fail(error)).finally(() => {})'],
    ],
  ],
  [
    'a module with statuses',
    'a.mjs',
    `${ofStatuses}export {}`,
    [
      ['1 branch', 'refuse()'],
      ['6 branch', "throw new Error('case')"],
      ['7 branch', 'go() }'],
      ['9 catch', '{ } finally { close() }'],
      ['9 finally', 'close() }'],
    ],
  ],
  [
    'TypeScript with a decorator',
    'a.ts',
    "class A { @kept() async b(@c d: E) { return (<F>d).catch((e: unknown): void => { throw e as Error }) }\ncatch<G>(f?: H) { if (f!.code === 1) return '`if (status)`' as const } }",
    [
      ['1 catch', 'throw e as Error }) }'],
      ['2 branch', "return '`if (status)`' as const } }"],
    ],
  ],
  [
    'JSX',
    'a.jsx',
    "const a = <p>don't {ok ? <b /> : /`/.exec(d)} if (status) now</p>\ntry { a() } catch (b) { c(b) }",
    [['2 catch', 'c(b) }']],
  ],
  [
    'a page of Vue',
    'a.vue',
    "<p>don't</p>\n<script lang=ts>\ntry { a as B } catch { c }\n</script>\n<p>{{ d",
    [['3 catch', 'c }']],
  ],
])('finds the handlers of %s', (_, path, source, expected) => {
  expect(told(path, source)).toEqual(expected)
})
