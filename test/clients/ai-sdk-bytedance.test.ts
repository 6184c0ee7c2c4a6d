import { createByteDance } from '@ai-sdk/bytedance'
import { APICallError, generateImage } from 'ai'
import { describe } from 'vitest'
import type { WorldClient } from '../../src/index.ts'
import { expect, it } from '../../src/kits/testing/vitest.ts'
import { samplesOf } from '../support/samples.ts'
import { shows } from '../support/shows.ts'
import { videosBy } from './ai-sdk-video.ts'
import { refusingOnce } from './refusing-once.ts'

/** The published package, unchanged but for base address and key. */
const providerFor = (world: WorldClient, apiKey = world.apiKey) =>
  createByteDance({ baseURL: `${world.baseUrl}/api/v3`, apiKey })

const polling = { bytedance: { pollIntervalMs: 1 } }

const videoFrom = videosBy((...of) => providerFor(...of).video('dreamina-seedance-2-0-260128'), polling)

describe('@ai-sdk/bytedance makes videos of family A (Spec, "What the service does" 5)', () => {
  it('from text, and gets a playable file', async ({ world }) => {
    const { video, providerMetadata } = await videoFrom(world)
    expect(Buffer.from(video.uint8Array).toString('latin1', 4, 8)).toBe('ftyp')
    expect(video.mediaType).toBe('video/mp4')
    expect(JSON.stringify(providerMetadata)).toMatch(/cgt-\d{14}-/)
    await world.requests.mustHave({ match: { operation: 'a.create', body: { '/resolution': '720p' } } })
    shows('all.service.upstream-clients')
  })

  it('from one picture without a role, and with the last frame requested', async ({ world }) => {
    const image = await samplesOf(world).bytes('landscape.jpg')
    await videoFrom(world, {
      prompt: { image, text: 'it moves' },
      aspectRatio: 'adaptive',
      providerOptions: { bytedance: { ...polling.bytedance, returnLastFrame: true } },
    })
    const [task] = await world.tasks.list()
    expect(task?.media.map(({ name }) => name).sort()).toEqual(['last_frame', 'video'])
  })

  // The package shows the record without its `error`.
  it('fails for a failed task with its id and state', async ({ world }) => {
    const { message } = await videoFrom(world, { prompt: '[[fail:InternalServiceError]] a cat' }).catch(
      found => found,
    )
    const [task] = await world.tasks.list()
    expect(message).toContain('Video generation failed: ')
    const { id, status } = JSON.parse(message.slice(message.indexOf('{')))
    expect({ id, status }).toEqual({ id: task?.id, status: 'failed' })
  })

  it('fails with the message and status of a refusal, and nothing is charged (Spec, "Errors" 1)', async ({
    world,
  }) => {
    const error = await videoFrom(world, { duration: 99 }).catch(found => found)
    expect(APICallError.isInstance(error), String(error)).toBe(true)
    expect(error).toMatchObject({ statusCode: 400, message: expect.stringContaining('duration') })
    expect((await world.ledger()).items).toEqual([])
  })

  it('fails with 401 for a key that is disabled (Spec, "Authentication" 3)', async ({ world }) => {
    const error = await videoFrom(world, {}, world.keyFor('disabled')).catch(found => found)
    expect(error).toMatchObject({ statusCode: 401 })
  })

  it('tries again after a 429', async ({ world }) => {
    await world.scenarios.use(refusingOnce('a.create', { fault: 'rate_limited', retry_after: '1ms' }))
    const { video } = await videoFrom(world, { maxRetries: 1 })
    expect(video.uint8Array.length).toBeGreaterThan(1000)
    await world.requests.mustHave({ match: { operation: 'a.create' }, count: { exactly: 2 } })
  })

  it('polls a task that never ends until its own limit', async ({ world }) => {
    const limited = { bytedance: { pollIntervalMs: 1, pollTimeoutMs: 150 } }
    await expect(videoFrom(world, { prompt: '[[never]] a cat', providerOptions: limited })).rejects.toThrow(
      /timed out/,
    )
  })
})

describe('@ai-sdk/bytedance makes pictures (Spec, "Image: request and response")', () => {
  const pictureFrom = (world: WorldClient, bytedance: Record<string, string | number>) =>
    generateImage({
      model: providerFor(world).image('dola-seedream-5-0-pro-260628'),
      prompt: 'a red bicycle',
      providerOptions: { bytedance },
      maxRetries: 0,
    })

  it('and gets them as base64', async ({ world }) => {
    const { image } = await pictureFrom(world, { size: '1K', outputFormat: 'png' })
    expect(image.mediaType).toBe('image/png')
    expect(Buffer.from(image.uint8Array).toString('latin1', 1, 4)).toBe('PNG')
  })

  it('and is refused a group of them (Spec, "Errors" 3)', async ({ world }) => {
    const group = { sequentialImageGeneration: 'auto', maxImages: 3 }
    const error = await pictureFrom(world, group).catch(found => found)
    expect(error).toMatchObject({ statusCode: 400, message: expect.stringContaining('sequential_image') })
  })
})
