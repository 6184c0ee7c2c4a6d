import sharp, { type OverlayOptions, type Region } from 'sharp'
import { describe, expect } from 'vitest'
import { worldOfImages } from '../support/family-image.ts'
import { openingTime } from '../support/gateway.ts'
import { plainPicture, sample as sampleBytes } from '../support/input-samples.ts'
import { chargesOf } from '../support/own-world.ts'
import { shows } from '../support/shows.ts'
import { inWorldsOf } from '../support/worlds.ts'

const { gateway, world, it, sample } = await inWorldsOf(worldOfImages)

/** The bytes of each picture of a reply, in order. */
async function filesOf(reply: { data: { url: string }[] }): Promise<Buffer[]> {
  const files: Buffer[] = []
  for (const { url } of reply.data) {
    const file = await gateway.download(url)
    expect(file.status).toBe(200)
    files.push(file.bytes)
  }
  return files
}

/** The first picture of a request in a world of its own. */
const pictureOf = async (changes: Record<string, unknown>) =>
  (await filesOf(await world().made(changes)))[0] as Buffer

/** The reply with the objects of a picture as layers. */
const layersOf = (changes: Record<string, unknown> = {}) =>
  world().made({ image: sample('layered.png'), layer_decomposition: true, ...changes })

/** A part of a picture. */
const partOf = (bytes: Buffer, region: Region) => sharp(bytes).extract(region).png().toBuffer()

/** Mean difference of two pictures, 0 to 255, over a small copy of both. */
async function difference(one: Buffer, other: Buffer): Promise<number> {
  const small = (bytes: Buffer) =>
    sharp(bytes).flatten({ background: '#fff' }).resize(64, 64, { fit: 'fill' }).raw().toBuffer()
  const [a, b] = [await small(one), await small(other)]
  return a.reduce((sum, value, at) => sum + Math.abs(value - (b[at] ?? 0)), 0) / a.length
}

/** The correlation of the brightness of two pictures, from -1 to 1, without their colours. */
async function likeness(one: Buffer, other: Buffer): Promise<number> {
  const light = async (bytes: Buffer) => [
    ...(await sharp(bytes)
      .flatten({ background: '#fff' })
      .greyscale()
      .resize(48, 48, { fit: 'fill' })
      .raw()
      .toBuffer()),
  ]
  const [a, b] = [await light(one), await light(other)]
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [ma, mb] = [mean(a), mean(b)]
  const product = (x: number[], mx: number, y: number[], my: number) =>
    x.reduce((sum, value, i) => sum + (value - mx) * ((y[i] ?? 0) - my), 0)
  return product(a, ma, b, mb) / Math.sqrt(product(a, ma, a, ma) * product(b, mb, b, mb))
}

describe('the reply', () => {
  it('has model, created, data and usage that adds up (Spec, "Response"; I-usage)', async () => {
    const reply = await world().made({ size: '1K', prompt: 'a square lighthouse, square' })
    expect(reply).toEqual({
      model: 'model_image',
      created: Math.floor(Date.parse(openingTime) / 1000),
      data: [{ url: expect.stringContaining('/image_0.jpeg?'), size: '1024x1024', output_format: 'jpeg' }],
      usage: { input_images: 0, generated_images: 1, output_tokens: 4096, total_tokens: 4096 },
    })
    shows('all.service.sync-image', 'image.modes.text', 'image.modes.one-base')
    shows('image.reply.fields', 'image.reply.usage')
  })

  it('counts input images (I-usage)', async () => {
    const reply = await world().made({
      image: [sample('square.png'), sample('portrait.jpg'), sample('landscape.jpg')],
    })
    expect(reply.usage.input_images).toBe(3)
    shows('image.reply.usage')
  })

  it.each(['jpeg', 'png'])(
    'gives a real %s of the reported size, by link and inline (Spec, "response_format")',
    async format => {
      const size = '1280x736'
      const linked = await world().made({ size, output_format: format, response_format: 'url' })
      const inlined = await world().made({ size, output_format: format, response_format: 'b64_json' })
      const [item] = inlined.data
      expect(item).toEqual({ b64_json: expect.any(String), size, output_format: format })
      const files = [...(await filesOf(linked)), Buffer.from(item.b64_json, 'base64')]
      expect(files).toHaveLength(2)
      for (const file of files)
        expect(await sharp(file).metadata()).toMatchObject({ format, width: 1280, height: 736 })
      shows('image.request.format', 'image.request.response-format', 'image.reply.url')
      shows('image.reply.b64', 'image.reply.size', 'image.reply.format')
    },
  )

  it('gives links that work for 24 hours and no longer (Spec, "Limits")', async ({ client }) => {
    const { data } = await client.made({ size: '1K' })
    await client.control('POST', '/clock/advance', { by: '86399s' })
    expect((await gateway.download(data[0].url, {}, 24)).status).toBe(200)
    await client.control('POST', '/clock/advance', { by: '1s' })
    expect((await gateway.download(data[0].url, {}, 24)).status).toBe(403)
    shows('image.request.link-life')
  })

  it('echoes a published model name as it was sent', async () => {
    const model = 'doubao-seedream-5-0-pro-260628'
    expect((await world().made({ model, size: '1K' })).model).toBe(model)
  })

  it('charges each image and stores a finished task', async ({ client }) => {
    await client.made({ size: '1K' })
    const { body } = await client.control('GET', '/tasks')
    expect(body.items[0]).toMatchObject({ kind: 'image', status: 'succeeded', created_at: openingTime })
    expect(await chargesOf(client)).toEqual(['reserved 0.2', 'settled 0.2'])
  })
})

describe('normal mode', () => {
  it('draws another picture for the next equal request', async ({ client }) => {
    const first = await filesOf(await client.made({ size: '1K' }))
    const second = await filesOf(await client.made({ size: '1K' }))
    expect(await difference(first[0] as Buffer, second[0] as Buffer)).toBeGreaterThan(4)
  })

  it('an edit is a changed picture in which its input can be recognised', async () => {
    const edited = await pictureOf({ image: sample('landscape.jpg'), prompt: 'make it green' })
    const original = sampleBytes('landscape.jpg')
    expect(await likeness(edited, original)).toBeGreaterThan(0.6)
    expect(await difference(edited, original)).toBeGreaterThan(12)
    shows('image.modes.edit')
  })

  it('shows every reference of a fusion', async () => {
    const names = ['portrait.jpg', 'landscape.jpg', 'square.png', 'layered.png']
    const merged = (some: string[]) => pictureOf({ image: some.map(sample), size: '1K', prompt: 'square' })
    const all = await merged(names)
    for (const left of names) {
      const others = await merged(names.filter(name => name !== left))
      expect(await difference(others, all), left).toBeGreaterThan(8)
    }
    shows('image.modes.fusion')
  })

  it('draws a box at its coordinates', async () => {
    const image = sample('square.png')
    const options = { image, size: '1536x1536', output_format: 'png' }
    const plain = await pictureOf({ ...options, prompt: 'red [1]' })
    const boxed = await pictureOf({ ...options, prompt: 'red <bbox>200 200 600 600</bbox>' })
    const differenceAt = async (at: number) => {
      const region = { left: at, top: at, width: 40, height: 40 }
      return difference(await partOf(plain, region), await partOf(boxed, region))
    }
    // 200 to 600 of 999 are pixels 307 to 922: inside the box is tinted, outside nothing changes.
    expect(await differenceAt(600)).toBeGreaterThan(5)
    expect(await differenceAt(1000)).toBe(0)
    shows('image.modes.interactive')
  })

  it('keeps a transparent background transparent (Spec, "background")', async () => {
    const options = { background: 'transparent', output_format: 'png' }
    const file = await pictureOf({ image: sample('transparent.png'), ...options })
    const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true })
    expect(info.channels).toBe(4)
    expect(data[3]).toBe(0)
    const middle = (Math.round(info.height * 0.4) * info.width + Math.round(info.width / 2)) * 4
    expect(data[middle + 3]).toBe(255)
  })

  it('adds the AI mark only when requested (Spec, "watermark")', async () => {
    const options = { size: '1024x1024', output_format: 'png', prompt: 'x' }
    const [plain, marked] = [await pictureOf(options), await pictureOf({ ...options, watermark: true })]
    const differenceAt = async (left: number) => {
      const region = { left, top: 900, width: 512, height: 124 }
      return difference(await partOf(plain, region), await partOf(marked, region))
    }
    expect(await differenceAt(0)).toBe(0)
    expect(await differenceAt(512)).toBeGreaterThan(2)
    shows('image.request.watermark', 'image.request.mark')
  })
})

describe('layer mode', () => {
  it('splits a picture into its objects; composed over the base they give the picture again (Spec, "Modes"; I-layers)', async () => {
    const reply = await layersOf({ output_format: 'png', size: '1K' })
    const [base, ...layers] = reply.data
    expect(base).toEqual({ url: expect.any(String), size: '1024x1024', output_format: 'png', z_index: 0 })
    // House, tree, sun, cloud, bench and ball.
    expect(layers).toHaveLength(6)
    const [baseFile, ...files] = await filesOf(reply)
    const overlays: OverlayOptions[] = files.map((input, index) => {
      const [left, top] = layers[index].bounding_box.absolute
      return { input, left, top }
    })
    const together = await sharp(baseFile).composite(overlays).removeAlpha().raw().toBuffer()
    const source = await sharp(sampleBytes('layered.png')).removeAlpha().raw().toBuffer()
    expect(together.equals(source)).toBe(true)
    // The base alone is not the picture: the objects were taken out.
    expect(await difference(baseFile as Buffer, sampleBytes('layered.png'))).toBeGreaterThan(5)
    for (const file of files) expect((await sharp(file).stats()).isOpaque).toBe(false)
    shows('image.request.layer-flag', 'image.modes.layers', 'image.modes.transparent')
  })

  it('describes each layer (Spec, "data item"; I-layers)', async () => {
    const reply = await layersOf({ prompt: 'its objects', size: '2K' })
    expect(reply.data[0]).toMatchObject({ output_format: 'jpeg', size: '2048x2048' })
    const layers = reply.data.slice(1)
    const files = (await filesOf(reply)).slice(1)
    for (const [index, layer] of layers.entries()) {
      const [left, top, right, bottom] = layer.bounding_box.absolute
      const [width, height] = [right - left, bottom - top]
      expect(layer).toMatchObject({ z_index: index + 1, output_format: 'png', size: `${width}x${height}` })
      expect(await sharp(files[index]).metadata()).toMatchObject({ width, height, hasAlpha: true })
      const thousandths = [left, top, right, bottom].map(value => Math.round((value / 2048) * 1000))
      expect(layer.bounding_box.normalized).toEqual(thousandths)
    }
    const names = layers.map((layer: { name: string }) => layer.name)
    expect([...names].sort()).toEqual(['ball', 'bench', 'cloud', 'house', 'sun', 'tree'])
    const [sun] = layers.filter((layer: { name: string }) => layer.name === 'sun')
    expect(sun.description).toMatch(/^A sun in the upper right of the picture, about \d+% of its width/)
    shows('image.reply.z-index', 'image.reply.box', 'image.reply.names')
  })

  it('names layers in English when there is no prompt (I-layers)', async () => {
    const reply = await layersOf({ prompt: null, size: '1k' })
    expect(reply.data.map((item: { name?: string }) => item.name)).toContain('sun')
  })

  it('makes at most 16 layers of a picture with more objects (Spec, "Limits")', async () => {
    const dots = Array.from(
      { length: 24 },
      (_, i) =>
        `<circle cx="${80 + (i % 6) * 170}" cy="${100 + Math.floor(i / 6) * 220}" r="50" fill="hsl(${i * 15},80%,45%)"/>`,
    )
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1024" height="900"><rect width="1024" height="900" fill="#eee"/>${dots.join('')}</svg>`
    const image = `data:image/png;base64,${(await sharp(Buffer.from(svg)).png().toBuffer()).toString('base64')}`
    const client = world()
    const reply = await client.made({ image, layer_decomposition: true, size: 'auto' })
    expect(reply.data).toHaveLength(17)
    expect(reply.data[0].size).toBe('1024x900')
    expect(reply.usage).toMatchObject({ input_images: 1, generated_images: 17 })
    const pixels = reply.data.reduce((sum: number, { size }: { size: string }) => {
      const [width = 0, height = 0] = size.split('x').map(Number)
      return sum + width * height
    }, 0)
    expect(reply.usage.output_tokens).toBe(Math.round(pixels / 256))
    expect(await chargesOf(client)).toContain('settled 3.4')
    shows('image.modes.layers')
  })

  it('gives only the base of a picture without distinct objects (I-layers)', async () => {
    const image = await plainPicture(600, 600)
    expect((await world().made({ image, layer_decomposition: true })).data).toHaveLength(1)
  })

  it('keeps the proportions of its source, by tier and with auto (I-size)', async () => {
    // It has no objects, which would take a second each time to take out.
    const [width, height] = [450, 800]
    const image = await plainPicture(width, height)
    for (const size of ['1K', '2K', 'auto']) {
      const reply = await world().made({ image, layer_decomposition: true, size })
      const [w = 0, h = 0] = reply.data[0].size.split('x').map(Number)
      expect(w / h / (width / height)).toBeCloseTo(1, 1)
    }
    shows('image.request.size-auto')
  })

  it('keeps the size of its source by default (I-defaults)', async () => {
    const { width, height } = await sharp(sampleBytes('layered.png')).metadata()
    const reply = await layersOf()
    expect(reply.data[0].size).toBe(`${width}x${height}`)
  })

  it('gives each file a name of its own, so that no download overwrites another', async () => {
    const { data } = await layersOf()
    const names = await Promise.all(
      data.map(async ({ url }: { url: string }) =>
        (await gateway.download(url)).headers.get('content-disposition'),
      ),
    )
    expect(names.length).toBeGreaterThan(2)
    expect(new Set(names).size).toBe(names.length)
    expect(names[0]).toMatch(/filename="img-\d{14}-[a-z0-9]{5}\.jpeg"$/)
  })

  it('also sends the layers inline', async () => {
    const reply = await layersOf({ response_format: 'b64_json', size: '1K' })
    expect(reply.data).toHaveLength(7)
    for (const { b64_json, size } of reply.data) {
      const { width, height } = await sharp(Buffer.from(b64_json, 'base64')).metadata()
      expect(`${width}x${height}`).toBe(size)
    }
  })
})

describe('scenarios and limits', () => {
  it.each([
    ['InvalidParameter.Picture', 400],
    ['RateLimitExceeded', 429],
    ['OutputImageSensitiveContentDetected.Policy', 403],
    ['SomethingElse', 500],
  ])(
    'a scripted failure with the code %s is %d: the first part of a code decides (I-outcome)',
    async (code, status) => {
      const reply = await world().generate({ prompt: `x [[fail:${code}]]` })
      expect([reply.status, reply.body.error.code]).toEqual([status, code])
    },
  )

  it('answers a scripted failure at once and refunds it (I-outcome)', async ({ client }) => {
    const { status, body: told } = await client.generate({ prompt: 'x [[fail:InternalServiceError]]' })
    expect([status, told.error.code]).toEqual([500, 'InternalServiceError'])
    const moderated = await client.generate({ prompt: 'x [[fail:OutputImageSensitiveContentDetected]]' })
    expect(moderated.status).toBe(403)
    const { body } = await client.control('GET', '/tasks')
    expect(body.items.map((task: { status: string }) => task.status)).toEqual(['failed', 'failed'])
    const lines = await chargesOf(client)
    expect(lines.filter(line => line === 'refunded 0.2')).toHaveLength(2)
    shows('image.errors.server')
  })

  it.each(['never', 'expire', 'cancel'])(
    'refuses the tag [[%s]], stores and charges nothing (I-outcome)',
    async tag => {
      const message = 'a picture is there or refused at once'
      await world().refused({ prompt: `x [[${tag}]]` }, { message })
    },
  )

  it.for(['never', 'stuck', 'expired', 'cancelled'])(
    'is never given the outcome %s by a rule (I-outcome)',
    async (outcome, { client }) => {
      const then = { task: { outcome } }
      const own = { name: 'own', rules: [{ when: { operation: 'image.generate' }, then }] }
      const scenario = await client.control('POST', '/scenarios', own)
      expect([scenario.status, scenario.body.error.path]).toEqual([400, 'rules[0].then.task.outcome'])
      expect(scenario.body.error.hint).toBe('write succeeded or failed')
      const injected = await client.control('POST', '/inject', { operation: 'image.generate', nth: 1, then })
      expect(injected.status).toBe(400)
      const general = { name: 'general', rules: [{ then }] }
      expect((await client.control('POST', '/scenarios', general)).status).toBe(201)
      expect((await client.generate({ prompt: 'x' })).status).toBe(200)
    },
  )

  it('ignores the run time of a scenario (I-outcome)', async ({ client }) => {
    const reply = await client.made({ prompt: 'x [[queue:10s]] [[run:20s]]', size: '1K' })
    expect((await gateway.download(reply.data[0].url)).status).toBe(200)
  })

  it('has no link when a scenario leaves it out', async () => {
    const reply = await world().made({ prompt: 'x [[media:missing_url]]', size: '1K' })
    expect(reply.data[0]).toEqual({ size: '1248x832', output_format: 'jpeg' })
  })

  it('is 429 with Retry-After at once when the clock does not run (I-rate)', async ({ client }) => {
    const key = `${client.key}.throttled`
    for (let i = 0; i < 3; i++) expect((await client.generate({}, key)).status).toBe(200)
    await client.refused({}, { status: 429, code: 'RateLimitExceeded' }, key)
    expect((await client.generate({}, key)).headers['retry-after']).toBe('60')
    await client.control('POST', '/clock/advance', { by: '60s' })
    expect((await client.generate({}, key)).status).toBe(200)
    shows('image.errors.rate')
  })

  it('counts requests whose pictures are still being read (I-rate)', async ({ client }) => {
    const image = sample('landscape.jpg')
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => client.generate({ image }, `${client.key}.throttled`)),
    )
    expect(replies.map(reply => reply.status).sort()).toEqual([200, 200, 200, 429, 429, 429])
  })

  it('waits for a rate-limit slot in realtime (I-rate)', async ({ client }) => {
    await client.control('PATCH', '/clock', { mode: 'realtime', rate: 600 })
    const key = `${client.key}.throttled`
    for (let i = 0; i < 3; i++) await client.generate({}, key)
    expect((await client.generate({}, key)).status).toBe(200)
    const { now_ms } = (await client.control('GET', '/clock')).body
    const { items } = (await client.control('GET', '/tasks')).body
    const [last, , , first] = items.map((task: { plan: { starts_at: string } }) =>
      Date.parse(task.plan.starts_at),
    )
    expect(last - first).toBeGreaterThanOrEqual(60_000)
    expect(now_ms).toBeGreaterThanOrEqual(last)
  })

  it('assumes the properties of a picture that is not fetched, and notes it in the task', async () => {
    const client = world()
    const reply = await client.made({ image: 'https://pictures.example/cat.png', size: '1K' })
    expect((await filesOf(reply))[0]?.length).toBeGreaterThan(1000)
    const { body } = await client.control('GET', '/tasks')
    expect(body.items[0].notes[0]).toContain('was not read')
  })
})
