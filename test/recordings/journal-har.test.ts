import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Recording } from '../../src/evidence/recordings/har.ts'
import { runCommand } from '../support/emulator-process.ts'
import { image, tasksPath, text } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'
import { harProblems } from '../support/har-schema.ts'

const gateway = await openGateway()
const key = 'sk-test-journal.ada'
const picture = readFileSync(new URL('../../fixtures/media/samples/landscape.jpg', import.meta.url))

async function lived(): Promise<Recording> {
  const inline = image(`data:image/jpeg;base64,${picture.toString('base64')}`, 'first_frame')
  const content = [text('a lighthouse in a secret bay'), inline]
  const body = { model: 'model_a_25', content, resolution: '480p', duration: 4 }
  const made = await gateway.post(tasksPath, body, key)
  expect(made.status, made.text).toBe(200)
  await gateway.control('POST', '/worlds/journal/clock/advance', { until: 'idle' })
  const { body: record } = await gateway.get(`${tasksPath}/${made.body.id}`, key)
  expect((await gateway.download(record.content.video_url)).status).toBe(200)
  await gateway.get('/api/v3/nothing', key)
  const recorded: { status: number; text: string; body: Recording } = await gateway.control(
    'GET',
    '/worlds/journal/requests?format=har',
  )
  expect(recorded.status, recorded.text).toBe(200)
  return recorded.body
}

it('gives the journal as HAR 1.2 without keys, signatures, files and prompts', async () => {
  const recording = await lived()
  const whole = JSON.stringify(recording)
  expect(harProblems(recording)).toEqual([])
  expect(recording.log.entries.map(entry => entry._gateway?.operation)).toEqual([
    'a.create',
    'a.get',
    'media.download',
    'unknown',
  ])
  for (const secret of ['sk-test', 'lighthouse', 'secret bay', picture.toString('base64').slice(0, 60)])
    expect(whole).not.toContain(secret)
  expect(whole).not.toMatch(/Signature=(?!signature-)/)
  const [create, , download] = recording.log.entries
  expect(create?._gateway?.clock_ms).toBe(Date.parse(create?.startedDateTime ?? ''))
  expect(JSON.parse(create?.request.postData?.text ?? '').content[1].image_url.url).toMatchObject({
    type: 'image/jpeg',
    form: 'data_uri',
  })
  expect(download?._gateway?.media).toMatchObject({
    type: 'video/mp4',
    seconds: expect.closeTo(4, 1),
    fps: 24,
    audio: true,
    width: expect.any(Number),
  })
})

it('keeps prompts when the request asks for them', async () => {
  const kept = await gateway.control('GET', '/worlds/journal/requests?format=har&prompts=kept')
  expect(kept.text).toContain('a lighthouse in a secret bay')
  expect((await gateway.control('GET', '/requests?format=xml')).status).toBe(400)
})

it('is printed by the command line, which also reports wrong usage', async () => {
  const printed = await runCommand(['requests', '--har', '--url', gateway.url, '--world', 'journal'])
  expect(printed.code, printed.stderr).toBe(0)
  expect(harProblems(JSON.parse(printed.stdout))).toEqual([])
  expect(JSON.parse(printed.stdout).log.entries.length).toBe(4)
  const wrong = await runCommand(['requests', '--harr', '--url', gateway.url])
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--har')])
  const nowhere = await runCommand(['requests', '--har', '--url', 'http://127.0.0.1:9'])
  expect(nowhere.code).toBe(1)
  expect(nowhere.stderr).toContain('No emulator answers at http://127.0.0.1:9')
})
