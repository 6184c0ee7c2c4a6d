import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createInputs } from '../../src/media/inputs/inputs.ts'
import { createPrepare } from '../../src/media/inputs/prepare-input.ts'
import { measureTracksApart } from '../../src/media/inputs/track-thread.ts'
import { findFfmpeg } from '../../src/media/render/tools.ts'
import { withinProcessorTime } from '../../src/media/workers/processor-time.ts'
import { tasksPath, text, textBody } from '../support/family-a.ts'
import { ownFolder } from '../support/folders.ts'
import { openGateway } from '../support/gateway.ts'
import { sample } from '../support/input-samples.ts'
import { startInputServer } from '../support/input-server.ts'
import { refusal } from '../support/own-world.ts'
import { pictureStore } from '../support/picture-store.ts'

const folder = ownFolder('busy-machine')

/** This process gets no processor, as beside other programs. Nothing else of it runs meanwhile, and its timers are late afterwards. */
function losesProcessor(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

let programs = 0
/** A program in place of ffmpeg that lists its abilities like the real one, and then does this; each run adds a line to `runs`. */
async function ffmpegThat(does: string): Promise<{ path: string; runs(): number }> {
  const real = (await findFfmpeg()).path
  const path = join(folder, `ffmpeg-${++programs}`)
  const notes = `${path}.runs`
  writeFileSync(notes, '')
  writeFileSync(
    path,
    `#!/bin/sh\ncase "$*" in *-encoders*) exec '${real}' "$@";; esac\necho >>'${notes}'\n${does}\n`,
  )
  chmodSync(path, 0o755)
  return { path, runs: () => readFileSync(notes, 'utf8').length }
}

/** A create with a video as input, on an emulator with this ffmpeg. */
async function create(ffmpegPath: string) {
  const gateway = await openGateway({ ffmpegPath })
  const url = `${gateway.url}/__emulator/samples/clip-720p-5s.mp4`
  const video = { type: 'video_url', video_url: { url }, role: 'reference_video' }
  return await gateway.post(tasksPath, textBody({ content: [text('a boat'), video] }))
}

it('a video is measured when other programs have the processor for longer than the limit', async () => {
  // Leaves a thread that has started.
  await measureTracksApart(sample('clip-2s.mov'), 'mov')
  // Now the late timers of this process come first, before what other threads and programs have sent.
  await turn()
  const measured = measureTracksApart(sample('clip-2s.webm'), 'webm', 1000)
  losesProcessor(1200)
  expect(await measured).toMatchObject({ kind: 'video', frames: 48 })
})

it('work that has used too much processor time is not waited for', async () => {
  const fault = () => new Error('too much')
  const before = process.cpuUsage()
  const work = new Promise<void>(resolve => {
    const next = () => (process.cpuUsage(before).user > 300_000 ? resolve() : setImmediate(next))
    next()
  })
  await expect(withinProcessorTime(work, { ms: 10, fault })).rejects.toThrow('too much')
  await work
})

it('a host that has answered is not blamed for time in which the emulator had no processor', async () => {
  const replies: ServerResponse[] = []
  const host = await startInputServer((_, reply) => void replies.push(reply))
  const inputs = createInputs({
    policy: 'loopback',
    prepare: createPrepare(pictureStore(new Map())),
    keep: async () => 'kept',
    timeLimitMs: 1000,
  })
  const request = { world: 'w', maxBytes: 1e6, asset: () => undefined, own: () => undefined }
  const facts = inputs.resolve(`${host.origin}/good.png`, 'image', request)
  await expect.poll(() => replies.length).toBe(1)
  await turn()
  replies[0]?.end(sample('square.png'))
  losesProcessor(1200)
  expect(await facts).toMatchObject({ format: 'png', origin: 'http' })
  await inputs.close()
  await host.close()
})

it('an ffmpeg that the system ends while it reads an input is tried once more, and then the reply is a 500 that says so', async () => {
  const ffmpeg = await ffmpegThat('kill -KILL $$')
  const error = refusal(await create(ffmpeg.path), 500)
  expect(error.message).toMatch(/ffmpeg was ended by SIGKILL .* tried twice and given up/)
  expect(ffmpeg.runs()).toBe(2)
})

it('an input whose ffmpeg is ended once is read at the second try', async () => {
  const once = join(folder, 'once')
  const real = (await findFfmpeg()).path
  const ffmpeg = await ffmpegThat(`mkdir ${once} 2>/dev/null && kill -KILL $$\nexec ${real} "$@"`)
  expect((await create(ffmpeg.path)).status).toBe(200)
  expect(ffmpeg.runs()).toBeGreaterThan(1)
})

it('a video that ffmpeg cannot decode within its processor time is refused with the time, after one try', async () => {
  // ffmpeg ends with this code at its own limit.
  const ffmpeg = await ffmpegThat('exit 255')
  expect(refusal(await create(ffmpeg.path)).message).toContain('takes more than 20 s of processor time')
  expect(ffmpeg.runs()).toBe(1)
})
