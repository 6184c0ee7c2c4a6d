import { readFileSync } from 'node:fs'
import { describe, expect, onTestFinished } from 'vitest'
import { renderSound } from '../../src/media/sound/sounds.ts'
import {
  avatarPath,
  createPath,
  expectError,
  voicePath,
  type WorldOfK,
  worldOfK,
} from '../support/family-k.ts'
import { openingTime } from '../support/gateway.ts'
import { sample } from '../support/input-samples.ts'
import { startInputServer } from '../support/input-server.ts'
import { shows } from '../support/shows.ts'
import { fetchedFile, probe } from '../support/video-files.ts'
import { inWorldsOf } from '../support/worlds.ts'

const { gateway, world, it } = await inWorldsOf(worldOfK)
const opened = Date.parse(openingTime)

const avatarOf = (client: WorldOfK, others: Record<string, unknown> = {}) => ({
  image: client.sample('portrait.jpg'),
  sound_file: client.sample('voice-8s.mp3'),
  ...others,
})
const voiceOf = (client: WorldOfK, others: Record<string, unknown> = {}) => ({
  voice_name: 'Nora',
  voice_url: client.sample('voice-8s.mp3'),
  ...others,
})

/** A change of a body in which names of files became the addresses of samples. */
const withSamples = (client: WorldOfK, change: object) =>
  Object.fromEntries(
    Object.entries(change).map(([key, value]) => [key, /\.\w+$/.test(value) ? client.sample(value) : value]),
  )

/** Submits and gives the task once nothing changes any more. */
async function finished(client: WorldOfK, path: string, body: unknown) {
  const id = await client.made(path, body)
  await client.advance({ until: 'idle' })
  return (await client.get(`${path}/${id}`)).body.data
}

const probed = async (link: string) => probe((await fetchedFile(gateway, link)).file)

describe.each([
  ['avatar', avatarPath, avatarOf],
  ['voice', voicePath, voiceOf],
] as const)('a submitted %s', (_, path, bodyOf) => {
  it('answers as upstream’s older operations do (K-beyond)', async ({ client }) => {
    const reply = await client.post(path, bodyOf(client, { external_task_id: 'mine' }))
    expect(reply.body).toEqual({
      code: 0,
      message: 'SUCCEED',
      request_id: reply.headers['x-request-id'],
      data: {
        task_id: expect.stringMatching(/^\d{18}$/),
        task_status: 'submitted',
        task_info: { external_task_id: 'mine' },
        created_at: opened,
        updated_at: opened,
      },
    })
  })

  it('goes from submitted through processing to succeed (Spec, "States and transitions", note 2)', async () => {
    const client = world()
    const id = await client.made(path, bodyOf(client))
    const status = async () => (await client.get(`${path}/${id}`)).body.data
    expect(await status()).toEqual({
      task_id: id,
      task_status: 'submitted',
      task_status_msg: '',
      task_result: {},
      created_at: opened,
      updated_at: opened,
    })
    await client.advance({ until: { task: id, status: 'processing' } })
    expect(await status()).toMatchObject({ task_status: 'processing', task_result: {} })
    const { body } = await client.advance({ until: { task: id, status: 'succeed' } })
    expect(await status()).toMatchObject({ task_status: 'succeed', updated_at: body.now_ms })
    shows('k.states.avatar', 'k.avatar.data')
  })

  it('task_status_msg has the reason of a failure, while the envelope still says SUCCEED (K-states)', async () => {
    const client = world()
    const id = await client.made(path, bodyOf(client))
    const error = { code: '1201', message: 'Image pixel is invalid' }
    // biome-ignore lint/suspicious/noThenProperty: the word of the scenario language
    const rule = { when: { operation: 'k.*.create' }, then: { task: { outcome: 'failed', error } } }
    await client.control('POST', '/scenarios', { name: 'late', rules: [rule] })
    const failed = await client.made(path, bodyOf(client))
    await client.advance({ until: 'idle' })
    expect((await client.get(`${path}/${id}`)).body.data.task_status).toBe('succeed')
    expect((await client.get(`${path}/${failed}`)).body).toMatchObject({
      code: 0,
      message: 'SUCCEED',
      data: { task_status: 'failed', task_status_msg: 'Image pixel is invalid', task_result: {} },
    })
    shows('k.states.avatar')
  })

  it('is found by its id and its external id, and for avatars also below /v1 (Spec, "Family K"; K-paths, K-not-found)', async () => {
    const client = world()
    // The specification states the prefix for avatars, and not for voices.
    const prefix = path.includes('avatar') ? '/v1' : ''
    const id = await client.made(`${prefix}${path}`, bodyOf(client, { external_task_id: 'mine' }))
    for (const address of [`${path}/${id}`, `${prefix}${path}/${id}`, `${path}/mine`, `${path}/${id}/`])
      expect((await client.get(address)).body.data).toMatchObject({
        task_id: id,
        task_info: { external_task_id: 'mine' },
      })
    shows('k.avatar.prefix')
  })

  it('is not found by other accounts; unknown ids are not found at all (K-not-found)', async ({ client }) => {
    const id = await client.made(path, bodyOf(client))
    const video = await client.made(createPath, client.frameBody())
    const message = (name: string) => ({ message: new RegExp(`^Task not found by id/external id: ${name}$`) })
    expectError(await client.get(`${path}/${id}`, `${client.key}.other`), message(id))
    expectError(await client.get(`${path}/${video}`), message(video))
    expectError(await client.get(`${path}/nobody`), message('nobody'))
    const other = path === avatarPath ? voicePath : avatarPath
    expectError(await client.get(`${other}/${id}`), message(id))
  })

  it('refuses callbacks, and an external id of any earlier task (Spec, "Events" 1; K-external-id)', async () => {
    const client = world()
    const hooked = bodyOf(client, { callback_url: 'https://example.com' })
    await client.refused(path, hooked, { param: 'callback_url' })
    await client.made(path, bodyOf(client, { callback_url: '', external_task_id: '' }))
    await client.made(createPath, client.frameBody({ external_task_id: 'mine' }))
    const message = 'External_task_id mine already exists'
    await client.refused(path, bodyOf(client, { external_task_id: 'mine' }), { message })
  })
})

describe('an avatar', () => {
  it('is a playable video with sound, as long as its audio, in the picture’s shape (Spec, "Family K: objects" 2; K-duration)', async () => {
    const client = world()
    const { task_result: result } = await finished(client, avatarPath, avatarOf(client))
    expect(result.videos).toEqual([
      { id: expect.stringMatching(/^\d{18}$/), url: expect.any(String), duration: expect.any(String) },
    ])
    const [video] = result.videos
    expect(Math.abs(Number(video.duration) - 8)).toBeLessThan(0.2)
    const { streams } = await probed(video.url)
    expect(streams.map(stream => stream.codec_name)).toEqual(['h264', 'aac'])
    expect(streams[0]).toMatchObject({ width: 720, height: 1280 })
    expect(Number(streams[0]?.duration)).toBeCloseTo(Number(video.duration), 2)
    shows('k.avatar.videos')
  })

  it('can speak with a cloned voice: a voice_id is usable as audio_id (Spec, "Family K: objects" 2)', async () => {
    const client = world()
    const { voice_id: voice } = await client.voice()
    const body = { image: client.sample('square.png'), audio_id: voice, mode: 'pro' }
    const { task_result: result } = await finished(client, avatarPath, body)
    const seconds = Number(result.videos[0].duration)
    expect(seconds >= 3 && seconds <= 8, `${seconds} seconds`).toBe(true)
    const { streams } = await probed(result.videos[0].url)
    expect(streams[0]).toMatchObject({ width: 1440, height: 1440 })
    expect(streams).toHaveLength(2)
    shows('k.voice.usable')
  })

  it.for([
    ['std', ['1080p'], '720p'],
    ['pro', ['720p'], '1080p'],
  ] as const)(
    'refuses mode %s when the group allows only %s (Spec, "Errors" rule 1; A-groups)',
    async ([mode, group, outside], { client }) => {
      await client.control('PATCH', '/accounts/default', { resolutions: group })
      const message = `${outside} is outside the account's group, must be ${group[0]}`
      await client.refused(avatarPath, avatarOf(client, { mode }), { param: 'mode', message })
    },
  )

  it('has a marked file if requested (K-outputs)', async ({ client }) => {
    const body = avatarOf(client, { watermark_info: { enabled: true } })
    const { task_result: result } = await finished(client, avatarPath, body)
    expect((await gateway.download(result.videos[0].watermark_url)).status).toBe(200)
  })

  it('accepts picture and sound as plain base64, and stores only their digests (K-avatar)', async () => {
    const client = world()
    const inline = (file: string) => readFileSync(`fixtures/media/samples/${file}`).toString('base64')
    const body = { image: inline('portrait.jpg'), sound_file: inline('voice-8s.m4a') }
    const id = await client.made(avatarPath, body)
    const { job, request } = (await client.control('GET', `/tasks/${id}`)).body
    expect(job).toMatchObject({ size: [720, 1280] })
    expect(JSON.stringify(request).length).toBeLessThan(400)
  })

  it.for([
    ['no picture', { image: null }, 'image'],
    ['an empty picture', { image: '' }, 'image'],
    ['a WebP', { image: 'landscape.webp' }, 'image'],
    ['a video as picture', { image: 'clip-2s.mov' }, 'image'],
    ['no sound', { sound_file: null }, 'audio_id'],
    ['empty sound', { sound_file: '', audio_id: '' }, 'audio_id'],
    ['both sounds', { audio_id: '1' }, 'audio_id'],
    ['an unknown voice', { sound_file: '', audio_id: '1' }, 'audio_id'],
    ['a picture as sound', { sound_file: 'square.png' }, 'sound_file'],
    ['an unknown mode', { mode: 'max' }, 'mode'],
    ['a long prompt', { prompt: 'x'.repeat(2501) }, 'prompt'],
  ] as const)('with %s is refused (K-avatar)', async ([_, change, param], { client }) => {
    await client.refused(avatarPath, avatarOf(client, withSamples(client, change)), { param })
  })

  it('measures its sound: one second is too short (K-avatar)', async ({ client }) => {
    const sound = await renderSound({ kind: 'sound', format: 'wav', seconds: 1, seed: 1 })
    const body = avatarOf(client, { sound_file: sound.toString('base64') })
    await client.refused(avatarPath, body, { param: 'sound_file', message: 'length in seconds' })
  })

  it('refuses a voice of another account and one that is not finished (K-avatar)', async ({ client }) => {
    const { voice_id: voice } = await client.voice()
    const body = avatarOf(client, { sound_file: '', audio_id: voice })
    await client.refused(avatarPath, body, { param: 'audio_id' }, `${client.key}.other`)
    const id = await client.made(voicePath, voiceOf(client))
    const { voiceId } = (await client.control('GET', `/tasks/${id}`)).body.job
    await client.refused(avatarPath, avatarOf(client, { sound_file: '', audio_id: voiceId }), {
      param: 'audio_id',
    })
  })

  it('is charged by the second of its audio (K-avatar)', async ({ client }) => {
    const { voice_id: voice } = await client.voice()
    const body = { image: client.sample('portrait.jpg'), audio_id: voice }
    const { task_result: result } = await finished(client, avatarPath, body)
    const settled = (await client.control('GET', '/ledger?limit=1')).body.items[0]
    expect(settled.kind).toBe('settled')
    expect(settled.amount).toBeCloseTo(0.8 * Number(result.videos[0].duration), 6)
  })
})

describe('a voice', () => {
  it('has voice_id, voice_name, a playable trial_url and owned_by (Spec, "Family K: objects" 2)', async () => {
    const client = world()
    const voice = await client.voice()
    expect(voice).toEqual({
      voice_id: expect.stringMatching(/^\d{18}$/),
      voice_name: 'Nora',
      trial_url: expect.stringContaining('/trial.wav?'),
      owned_by: expect.stringMatching(/^\d{8}$/),
    })
    const { headers } = await gateway.download(voice.trial_url)
    expect(headers.get('content-type')).toBe('audio/wav')
    const { streams, seconds } = await probed(voice.trial_url)
    expect(streams).toMatchObject([{ codec_type: 'audio' }])
    expect(seconds).toBeGreaterThanOrEqual(3)
    shows('k.voice.voices', 'k.voice.reply')
  })

  it('is found by its external id, even when a task of another kind has that id (K-not-found)', async () => {
    const client = world()
    const video = await client.made(createPath, client.frameBody())
    const voice = await client.made(voicePath, voiceOf(client, { external_task_id: video }))
    expect((await client.get(`${voicePath}/${video}`)).body.data).toMatchObject({ task_id: voice })
    expectError(await client.get(`${avatarPath}/${video}`), { param: 'task_id' })
  })

  it('can be cloned from a video with sound, by link or by the id of an earlier output (K-voice)', async () => {
    const client = world()
    await client.made(voicePath, voiceOf(client, { voice_url: client.sample('clip-720p-5s.mp4') }))
    const avatar = await finished(client, avatarPath, avatarOf(client))
    const body = voiceOf(client, { voice_url: '', video_id: avatar.task_result.videos[0].id })
    expect(await finished(client, voicePath, body)).toMatchObject({ task_status: 'succeed' })
  })

  it('can be cloned from links whose ending is missing or wrong (K-voice)', async ({ client }) => {
    const server = await startInputServer((request, response) =>
      response.end(sample(request.url?.startsWith('/clip') ? 'clip-720p-5s.mp4' : 'voice-8s.mp3')),
    )
    onTestFinished(server.close)
    for (const path of ['/clip', '/clip.mp3', '/voice', '/voice.mp4'])
      await client.made(voicePath, voiceOf(client, { voice_url: `${server.origin}${path}` }))
  })

  it.for([
    ['voice.MP4?part=1', 'video in mp4'],
    ['voice.mov', 'video in mov'],
    ['voice.wav', 'audio in wav'],
    ['voice', 'audio in'],
  ] as const)('cloned from %s that is not read assumes a %s (K-voice)', async ([name, kind], { client }) => {
    const id = await client.made(voicePath, voiceOf(client, { voice_url: `https://example.com/${name}` }))
    const { body } = await client.control('GET', `/tasks/${id}`)
    expect(body.notes).toMatchObject([expect.stringContaining(`Assumed: ${kind}`)])
  })

  it('the refusal of another format lists all allowed ones (K-voice)', async ({ client }) => {
    const allowed = 'one of mp3, wav, mp4, mov'
    const wrong = {
      'voice-8s.aac': allowed,
      'clip-2s.webm': allowed,
      'square.png': 'neither audio nor video',
    }
    for (const [name, message] of Object.entries(wrong)) {
      const body = voiceOf(client, { voice_url: client.sample(name) })
      await client.refused(voicePath, body, { param: 'voice_url', message })
    }
  })

  it('cannot be cloned from a video without sound, by link or by id (K-voice)', async ({ client }) => {
    const [output] = (await client.finished(createPath, client.frameBody())).outputs
    await client.refused(voicePath, voiceOf(client, { voice_url: output.url }), { message: 'no sound' })
    await client.refused(voicePath, voiceOf(client, { voice_url: '', video_id: output.id }), {
      param: 'video_id',
    })
  })

  it.for([
    ['no name', { voice_name: null }, 'voice_name'],
    ['a long name', { voice_name: 'x'.repeat(21) }, 'voice_name'],
    ['no source', { voice_url: null }, 'voice_url'],
    ['both sources', { video_id: '1' }, 'voice_url'],
    ['an unknown video', { voice_url: '', video_id: '1' }, 'video_id'],
    ['a video of 3 s', { voice_url: 'clip-silent.mp4' }, 'voice_url'],
    ['a QuickTime video of 2 s', { voice_url: 'clip-2s.mov' }, 'voice_url'],
    ['an inline recording', { voice_url: 'data:audio/mpeg;base64,SUQz' }, 'voice_url'],
  ] as const)('with %s is refused (K-voice)', async ([_, change, param], { client }) => {
    await client.refused(voicePath, voiceOf(client, withSamples(client, change)), { param })
  })
})
