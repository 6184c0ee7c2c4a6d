import OpenAI, { AuthenticationError, BadRequestError, NotFoundError, RateLimitError } from 'openai'
import { describe } from 'vitest'
import type { WorldClient } from '../../src/index.ts'
import { expect, it } from '../../src/kits/testing/vitest.ts'
import { shows } from '../support/shows.ts'
import { refusingOnce } from './refusing-once.ts'

/** The published package, unchanged but for base address and key. */
const clientFor = (world: WorldClient, apiKey = world.apiKey) =>
  new OpenAI({ baseURL: `${world.baseUrl}/api/v3`, apiKey, maxRetries: 0 })

/** `2K` and the like are this service's own words: the package's types know only its maker's. */
const request = { model: 'model_image', prompt: 'a red bicycle', size: '1K' as '1024x1024' }

describe('openai makes pictures (Spec, "Image: request and response")', () => {
  it('with links that need no key', async ({ world }) => {
    const { data = [], created } = await clientFor(world).images.generate({
      ...request,
      response_format: 'url',
    })
    const reply = await fetch(data[0]?.url ?? '')
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    expect(created).toBeLessThan(2 ** 31)
    shows('all.service.upstream-clients')
  })

  it('as base64', async ({ world }) => {
    const { data = [] } = await clientFor(world).images.generate({ ...request, response_format: 'b64_json' })
    expect(Buffer.from(data[0]?.b64_json ?? '', 'base64').toString('hex', 0, 3)).toBe('ffd8ff')
  })

  it('and reads the code, the message and the request id of a refusal', async ({ world }) => {
    const error = await clientFor(world)
      .images.generate({ ...request, prompt: '' })
      .catch(found => found)
    expect(error).toBeInstanceOf(BadRequestError)
    expect(error).toMatchObject({ code: 'InvalidParameter', message: expect.stringContaining('prompt') })
    expect(error.requestID).toMatch(/\w{8}/)
  })

  it('and fails when it asks for a stream (Spec, "Errors" 3)', async ({ world }) => {
    await expect(clientFor(world).images.generate({ ...request, stream: true })).rejects.toBeInstanceOf(
      BadRequestError,
    )
  })

  it('and fails with 401 for an unknown key (Spec, "Authentication" 3)', async ({ world }) => {
    const error = await clientFor(world, 'nothing')
      .images.generate(request)
      .catch(found => found)
    expect(error).toBeInstanceOf(AuthenticationError)
    expect(error.code).toBe('AuthenticationError')
  })

  it('tries again after a 429, and fails with the 429 when it does not try again', async ({ world }) => {
    await world.scenarios.use(refusingOnce('image.generate', { fault: 'rate_limited' }))
    await expect(clientFor(world).images.generate(request)).rejects.toBeInstanceOf(RateLimitError)
    const { data = [] } = await clientFor(world).images.generate(request, { maxRetries: 1 })
    expect(data).toHaveLength(1)
  })

  it('and gets a 404 for edits, which have no path of their own (Spec, "Endpoints", image)', async ({
    world,
  }) => {
    const image = new File([new Uint8Array(8)], 'picture.png', { type: 'image/png' })
    await expect(
      clientFor(world).images.edit({ model: 'model_image', prompt: 'blue', image }),
    ).rejects.toBeInstanceOf(NotFoundError)
  })
})
