import { describe, expect, it } from 'vitest'
import { explore } from '../../src/explore/play/explore.ts'
import { exploreSettings } from '../../src/explore/play/options.ts'
import { inTurns } from '../../src/explore/run/kept-files.ts'
import { commandSubject } from '../../src/explore/run/run-command.ts'
import { emptyStates } from '../../src/explore/run/state-folder.ts'
import { startForTest } from '../support/start-for-test.ts'
import { writtenFiles } from '../support/written-files.ts'

const emulator = await startForTest({})
const { folder, written } = writtenFiles('kept-results')

/** Makes a video; `task` is its record. */
const making = `const { GATEWAY_EMULATOR_URL: url, GATEWAY_EMULATOR_KEY: key } = process.env
const tasks = url + '/api/v3/contents/generations/tasks'
const headers = { Authorization: 'Bearer ' + key, 'Content-Type': 'application/json' }
const content = [{ type: 'text', text: 'a kite' }]
const body = JSON.stringify({ model: 'model_a_25', content, ratio: '16:9', duration: 4 })
const { id } = await (await fetch(tasks, { method: 'POST', headers, body })).json()
let task
do task = await (await fetch(tasks + '/' + id, { headers })).json()
while (task.status !== 'succeeded')
`

/** Downloads its video into a folder. Its second attempt begins the file anew with `w`, and adds to what is there with `a`. */
const client = written(
  'client.mjs',
  `import { appendFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
const [, , into, again] = process.argv
${making}const file = join(into, 'video.mp4')
const attempt = () => new Promise((done, fail) => get(task.content.video_url, reply => {
  reply.on('data', bytes => appendFileSync(file, bytes))
  reply.on('error', fail).on('end', done)
}).on('error', fail))
writeFileSync(file, '')
await attempt().catch(() => {
  if (again === 'w') writeFileSync(file, '')
  return attempt()
})
`,
)

/** Keeps a picture that stands in a reply, and one behind a link. Of a second attempt, it keeps the first half with `half`. */
const painter = written(
  'painter.mjs',
  `import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
const [, , into, again] = process.argv
const { GATEWAY_EMULATOR_URL: url, GATEWAY_EMULATOR_KEY: key } = process.env
const headers = { Authorization: 'Bearer ' + key, 'Content-Type': 'application/json' }
let attempts = 0
async function paint(response_format) {
  attempts++
  const body = JSON.stringify({ model: 'model_image', prompt: response_format, size: '1K', response_format })
  const reply = await fetch(url + '/api/v3/images/generations', { method: 'POST', headers, body })
  return reply.ok ? (await reply.json()).data[0] : paint(response_format)
}
const bytes = Buffer.from((await paint('b64_json')).b64_json, 'base64')
writeFileSync(join(into, 'inline.jpg'), attempts > 1 && again === 'half' ? bytes.subarray(0, bytes.length / 2) : bytes)
const linked = await fetch((await paint('url')).url)
writeFileSync(join(into, 'linked.jpg'), Buffer.from(await linked.arrayBuffer()))
`,
)

/** Keeps its video in a folder, and fails when another run is about to write there. */
const rival = written(
  'rival.mjs',
  `import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
const [, , into] = process.argv
const own = 'writing-' + process.pid
writeFileSync(join(into, own), '')
process.on('exit', () => rmSync(join(into, own)))
const isOther = name => name.startsWith('writing-') && name !== own
const before = readdirSync(into).filter(isOther)
${making}if ([...before, ...readdirSync(into)].some(isOther)) throw new Error('somebody else writes here')
writeFileSync(join(into, 'rival.mp4'), Buffer.from(await (await fetch(task.content.video_url)).arrayBuffer()))
`,
)

async function played(args: string[], only: string[], program: string) {
  const subject = commandSubject({
    program: 'node',
    args: [program, ...args],
    env: [],
    inherited: process.env,
  })
  const settings = { ...exploreSettings({ only, limit: '30s' }, '2026-01-01T00:00:00Z'), folder }
  return (await explore({ emulator, subject, states: emptyStates, settings })).cases
}

async function verdicts(args: string[], only: string[], program = client): Promise<unknown[]> {
  const cases = await played(args, only, program)
  return cases.map(({ id, verdict, end, bill, evidence, cause }) => {
    const [said] = /the name of a whole result/.exec(evidence) ?? []
    return [id, verdict, end, bill.lost > 0, said, cause?.title]
  })
}

const wrong = [
  'file_truncated',
  'paid_for_nothing',
  'false_success',
  true,
  'the name of a whole result',
  'leaves other bytes under the name of a result',
]
const right = (id: string) => [id, 'recovered', 'done', false, undefined, undefined]

describe('a file with other bytes under the name of a result is no result (docs/explore.md, "What it says")', () => {
  const only = ['media.download reply_lost', 'media.download file_truncated']
  it.each([
    ['the state folder', 'adds the whole file to its half', ['{state}', 'a'], wrong],
    ['the working folder', 'adds the whole file to its half', [folder, 'a'], wrong],
    ['the state folder', 'begins its file anew', ['{state}', 'w'], right('file_truncated')],
    ['the working folder', 'begins its file anew', [folder, 'w'], right('file_truncated')],
  ])('in %s, of a client that %s', async (_, __, args, expected) => {
    expect(await verdicts(args, only)).toEqual([right('reply_lost'), expected])
  })

  const asPicture = ['image.generate#1 unavailable']

  it('a picture that stood in a reply is a result, too', async () => {
    expect(await verdicts(['{state}'], asPicture, painter)).toEqual([right('unavailable')])
  })

  it('a half of a picture that stood in a reply is none', async () => {
    const title = 'leaves a part of a file under the name that it has when it is whole'
    const said = 'the name of a whole result'
    const half = ['unavailable', 'false_success', 'false_success', false, said, title]
    expect(await verdicts(['{state}', 'half'], asPicture, painter)).toEqual([half])
  })

  it('a program that leaves its results in the working folder goes alone when a problem of it is played once more', async () => {
    const cases = await played([folder], ['a.create slow_answer', 'a.get slow_answer'], rival)
    expect(cases.map(({ id, level }) => [id, level === 'problem'])).toEqual([
      ['slow_answer', false],
      ['slow_answer', false],
    ])
  })

  it('runs that share a folder go beside each other, and one of which the folder is looked at goes alone', async () => {
    const turns = inTurns()
    const told: string[] = []
    const ends = new Map<string, () => void>()
    const work = (name: string) => async () => {
      told.push(name)
      await new Promise<void>(end => ends.set(name, end))
      if (name === 'fails') throw new Error(name)
    }
    const end = async (name: string) => {
      ends.get(name)?.()
      await new Promise(setImmediate)
    }
    const all = [turns.beside(work('one')), turns.beside(work('fails')), turns.alone(work('alone'))]
    all.push(turns.beside(work('later')))
    const settled = Promise.allSettled(all)
    await end('nothing yet')
    await end('one')
    expect(told).toEqual(['one', 'fails'])
    await end('fails')
    expect(told).toEqual(['one', 'fails', 'alone'])
    await end('alone')
    expect(told).toEqual(['one', 'fails', 'alone', 'later'])
    await end('later')
    expect((await settled).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ])
  })
})
