import { createAlibaba } from '@ai-sdk/alibaba'
import { describe } from 'vitest'
import type { WorldClient } from '../../src/index.ts'
import { expect, it } from '../../src/kits/testing/vitest.ts'
import { samplesOf } from '../support/samples.ts'
import { shows } from '../support/shows.ts'
import { videosBy } from './ai-sdk-video.ts'

/** The published package, unchanged but for base address and key. */
const providerFor = (world: WorldClient, apiKey = world.apiKey) =>
  createAlibaba({ videoBaseURL: world.baseUrl, apiKey })

const polling = { alibaba: { pollIntervalMs: 1 } }

const videoFrom = videosBy((...of) => providerFor(...of).video('wan3.0-video'), polling)

describe('@ai-sdk/alibaba makes videos of family B (Spec, "Family B")', () => {
  it('from text, and gets a playable file and its usage', async ({ world }) => {
    const { video, providerMetadata } = await videoFrom(world)
    expect(Buffer.from(video.uint8Array).toString('latin1', 4, 8)).toBe('ftyp')
    expect(providerMetadata).toMatchObject({
      alibaba: { usage: { outputVideoDuration: 4, ratio: '16:9', fps: 30 } },
    })
    shows('b.service.native-wire')
  })

  it('from reference pictures', async ({ world }) => {
    const media = [{ type: 'reference_image' as const, url: samplesOf(world).url('landscape.jpg') }]
    const { video } = await videoFrom(world, { providerOptions: { alibaba: { ...polling.alibaba, media } } })
    expect(video.uint8Array.length).toBeGreaterThan(1000)
    await world.requests.mustHave({ match: { operation: 'b.create', mode: 'reference' } })
  })

  it('fails for a failed task with the id and the message of its record', async ({ world }) => {
    const { message } = await videoFrom(world, { prompt: '[[fail:InternalError]] a cat' }).catch(
      found => found,
    )
    const [task] = await world.tasks.list()
    const said = task?.view.error?.message
    expect(said).toBeTruthy()
    expect(message).toBe(`Video generation failed. Task ID: ${task?.id}. ${said}`)
  })

  it('fails for a cancelled task with its id', async ({ world }) => {
    const { message } = await videoFrom(world, { prompt: '[[cancel]] a cat' }).catch(found => found)
    const [task] = await world.tasks.list()
    expect(message).toContain(`Video generation canceled. Task ID: ${task?.id}.`)
  })

  it('fails with the message and status of a refusal (Spec, "Errors", family B)', async ({ world }) => {
    const error = await videoFrom(world, { prompt: '[[refuse:moderated]] a cat' }).catch(found => found)
    expect(error).toMatchObject({ statusCode: 403, message: expect.stringContaining('inappropriate') })
    expect(await world.tasks.list()).toEqual([])
  })

  it('fails with 401 for a deleted key (Spec, "Authentication" 3)', async ({ world }) => {
    const error = await videoFrom(world, {}, world.keyFor('deleted')).catch(found => found)
    expect(error).toMatchObject({ statusCode: 401 })
  })

  it('fails with a message for a success without a link', async ({ world }) => {
    await world.scenarios.use('success-without-url')
    await expect(videoFrom(world)).rejects.toThrow(/No video URL/)
  })
})
