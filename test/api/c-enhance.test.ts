import { describe, expect, it, test } from 'vitest'
import { enhanceBody, image, inWorldsOfC, special, standard, text, variants } from '../support/family-c.ts'
import { shows } from '../support/shows.ts'

const { world, sample: at } = await inWorldsOfC()
const path = 'h3_context_ir'
const portrait = image(at('portrait.jpg'), 'first_frame')

describe.each(variants)('enhancing a prompt in $id (Spec, "Endpoints", h3_context_ir)', variant => {
  const it = test.extend('client', () => world(variant))
  it('gives a text in content.prompt, and no video, url or resolution', async ({ client }) => {
    const id = await client.made(enhanceBody({ duration: 8 }), path)
    expect(await client.task(id)).not.toHaveProperty('content')
    await client.advance({ until: 'idle' })
    const task = await client.task(id)
    const kind = { task_type: 'h3_context_ir', modality: 'text' }
    expect(task).toMatchObject({ status: 'succeeded', duration: 8, ratio: '16:9', ...kind })
    expect(Object.keys(task.content)).toEqual(['prompt'])
    expect(task).not.toHaveProperty('resolution')
    expect((await client.control('GET', `/tasks/${id}`)).body.media).toEqual([])
    shows('c.task.prompt', 'c.task.type', 'c.task.modality', 'c.enhance.result')
    shows('c.enhance.reply', 'special.enhance.reply')
  })

  it('ignores resolution', async ({ client }) => {
    const id = await client.made(enhanceBody({ resolution: '4K' }), path)
    expect((await client.control('GET', `/tasks/${id}`)).body.unread).toEqual(['resolution'])
    shows('c.enhance.fields')
  })

  it('accepts 4 to 15 whole seconds (Spec, "Limits", special prompt enhancement)', async ({ client }) => {
    for (const duration of [4, 15]) await client.made(enhanceBody({ duration }), path)
    for (const duration of [3, 16, 4.5, '5', undefined])
      await client.refused(enhanceBody({ duration }), { message: 'duration' }, path)
    shows('special.enhance.duration', 'special.limits.duration')
  })

  it('has the ratio rules of the standard variant ("like standard")', async ({ client }) => {
    await client.refused(enhanceBody({ ratio: 'adaptive' }), { message: 'adaptive is not supported' }, path)
    await client.refused(enhanceBody({ ratio: undefined }), { message: 'ratio is required' }, path)
    const content = [text('a cat'), portrait]
    const id = await client.made(enhanceBody({ content, ratio: 'adaptive' }), path)
    expect((await client.task(id)).ratio).toBe('9:16')
  })

  it('refuses the content and callback_url that a create refuses, and charges nothing (C-content; Spec, "Errors" rule 2)', async () => {
    const client = world(variant)
    await client.refused(enhanceBody({ content: [portrait] }), { message: 'non-empty text item' }, path)
    const hooked = enhanceBody({ callback_url: 'https://example.com' })
    await client.refused(hooked, { message: 'callback_url' }, path)
    const face = [text('a cat'), image(at('real-face.jpg'), 'first_frame')]
    await client.refused(enhanceBody({ content: face }), { status: 403, type: 'permission_error' }, path)
  })

  it('is the same for the same prompt and seed, and differs when one of them differs', async () => {
    const [one, other] = [world(variant), world(variant)]
    const textOf = async (client: typeof one, words = 'a lighthouse at dawn') =>
      (await client.finished(enhanceBody({ content: [text(words)] }), path)).content.prompt
    const texts = async (client: typeof one) => [await textOf(client), await textOf(client)]
    const [first, second] = await texts(one)
    expect(await texts(other)).toEqual([first, second])
    expect(first).toContain('a lighthouse at dawn')
    expect(second).not.toBe(first)
    expect(await textOf(world(variant), 'a boat in a storm')).toContain('a boat in a storm')
  })

  it('fails with zero usage in the same keys (C-usage)', async () => {
    const task = await world(variant).finished(enhanceBody({ content: [text('a cat [[fail:1026]]')] }), path)
    expect(task.error.code).toBe('1026')
    const zeros = { total_tokens: 0, prompt_tokens: 0, completion_tokens: 0 }
    expect(task.usage).toEqual(variant.id === 'c' ? zeros : {})
  })
})

describe('the price of an enhancement', () => {
  it('counts 800 tokens for each file of the request (C-usage)', async () => {
    const tokensOf = async (content: object[]) =>
      (await world(standard).finished(enhanceBody({ content }), path)).usage.prompt_tokens
    const words = text('a cat')
    expect((await tokensOf([words, portrait])) - (await tokensOf([words]))).toBe(800)
  })

  it('is reported and charged in tokens in the standard variant (Spec: "billed per token"; C-usage)', async () => {
    const client = world(standard)
    const { usage } = await client.finished(enhanceBody(), path)
    expect(Object.keys(usage).sort()).toEqual(['completion_tokens', 'prompt_tokens', 'total_tokens'])
    expect(usage.total_tokens).toBe(usage.prompt_tokens + usage.completion_tokens)
    expect(usage.completion_tokens).toBeGreaterThan(100)
    const price = Math.round(usage.total_tokens * 0.02 * 1000) / 1e6
    expect(await client.charges()).toEqual([
      ['reserved', price],
      ['settled', price],
    ])
    shows('c.enhance.billing')
  })

  it('has no token usage in the special variant (Spec, special h3_context_ir)', async () => {
    const client = world(special)
    expect((await client.finished(enhanceBody(), path)).usage).toEqual({})
    expect(await client.charges()).toContainEqual(['settled', 0.1])
    shows('special.enhance.no-tokens')
  })
})
