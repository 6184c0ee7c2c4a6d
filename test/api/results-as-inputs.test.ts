import { expect, it } from 'vitest'
import { textBody as bodyOfA, image, text, video, worldOfA } from '../support/family-a.ts'
import { textBody as bodyOfB, mediaBody, worldOfB } from '../support/family-b.ts'
import * as c from '../support/family-c.ts'
import { worldOfImages } from '../support/family-image.ts'
import { avatarPath, createPath, voicePath, worldOfK } from '../support/family-k.ts'
import { openGateway } from '../support/gateway.ts'
import { refusal } from '../support/own-world.ts'

/** Every kind of file that the emulator makes, given back as an input. */
const gateway = await openGateway()
let next = 0
const name = () => `back-${next++}`

/** Creates that take a picture; each gives the status of its answer. */
const pictureTakers: Record<string, (url: string) => Promise<number>> = {
  'a first frame of 2.0': url => statusOfA({ model: 'model_a_20', content: [image(url, 'first_frame')] }),
  'a first frame of 2.5': url => statusOfA({ content: [image(url, 'first_frame')] }),
  'a reference of 2.5': url => statusOfA({ content: [text('a'), image(url, 'reference_image')] }),
  'a first frame of B': async url =>
    (await worldOfB(gateway, name()).create(mediaBody([['first_frame', url]]))).status,
  'a first frame of C': async url => {
    const body = c.textBody({ content: [c.text('a'), c.image(url, 'first_frame')] })
    return (await c.worldOfC(gateway, c.standard, name()).make('video_generation', body)).status
  },
  'a first frame of C-special': async url => {
    const body = c.textBody({ content: [c.text('a'), c.image(url, 'first_frame')] })
    return (await c.worldOfC(gateway, c.special, name()).make('video_generation', body)).status
  },
  'a first frame of K': async url => {
    const body = { contents: [{ type: 'first_frame', url }] }
    return (await worldOfK(gateway, name()).post(createPath, body)).status
  },
  'an image edit': async url => (await worldOfImages(gateway, name()).generate({ image: url })).status,
}

async function statusOfA(changes: Record<string, unknown>): Promise<number> {
  return (await worldOfA(gateway, name()).create(bodyOfA({ ratio: 'adaptive', ...changes }))).status
}

async function everyTakerTakes(url: string): Promise<void> {
  for (const [taker, take] of Object.entries(pictureTakers)) expect(await take(url), taker).toBe(200)
}

it('a last frame is accepted wherever a picture is', async () => {
  const record = await worldOfA(gateway, name()).finished(bodyOfA({ return_last_frame: true }))
  await everyTakerTakes(record.content.last_frame_url)
})

it.each(['png', 'jpeg'])(
  'a %s of the image operation is accepted wherever a picture is',
  async output_format => {
    const { data } = await worldOfImages(gateway, name()).made({ output_format, size: '1K' })
    await everyTakerTakes(data[0].url)
  },
)

it('the base and each layer of a decomposition can be edited', async () => {
  const client = worldOfImages(gateway, name())
  const source = `${gateway.url}/__emulator/samples/layered.png`
  const { data } = await client.made({ image: source, layer_decomposition: true })
  expect(data.length).toBeGreaterThan(2)
  for (const { url } of data) expect((await client.generate({ image: url, size: '1K' })).status).toBe(200)
})

it.each([
  ['model_a_20', 'mp4'],
  ['model_a_25', 'mp4'],
  ['model_a_25', 'mov'],
])('a video of %s as %s can be a reference, be edited and be extended', async (model, format) => {
  const client = worldOfA(gateway, name())
  const own = model === 'model_a_25' ? { output_format: format } : {}
  const { content } = await client.finished(bodyOfA({ model, duration: 5, resolution: '720p', ...own }))
  const open = { ratio: 'adaptive', duration: -1 }
  for (const words of ['like this', 'remove the tower', 'extend the video'])
    await client.made(bodyOfA({ ...open, content: [text(words), video(content.video_url)] }))
  const old = { model: 'model_a_20', content: [text('like this'), video(content.video_url)] }
  await client.made(bodyOfA(old))
})

it('a video of family B can be a reference of B', async () => {
  const client = worldOfB(gateway, name())
  const { output } = await client.finished(bodyOfB())
  const again = await client.create(mediaBody([['reference_video', output.video_url]]))
  expect(again.status, again.text).toBe(200)
})

it.each(c.variants)('a video of $id can be a reference and a base video', async variant => {
  const client = c.worldOfC(gateway, variant, name())
  const { content } = await client.finished()
  const { url } = content
  await client.made(c.textBody({ content: [c.text('like this'), c.video(url, 'reference_video')] }))
  const base = [c.text('a lighthouse at dawn'), c.video(url, 'base_video')]
  await client.made(c.regenerateBody({ content: base }), 'video_regeneration')
})

it('the trial of a cloned voice can be the sound of an avatar, and a voice can be cloned from an avatar with a longer sound', async () => {
  const client = worldOfK(gateway, name())
  const { trial_url: sound } = await client.voice()
  const portrait = client.sample('portrait.jpg')
  await client.made(avatarPath, { image: portrait, sound_file: sound })
  const longer = { image: portrait, sound_file: client.sample('voice-8s.mp3') }
  const id = await client.made(avatarPath, longer)
  await client.advance({ until: 'idle' })
  const { url } = (await client.get(`${avatarPath}/${id}`)).body.data.task_result.videos[0]
  await client.made(voicePath, { voice_name: 'Again', voice_url: url })
})

it.each([
  ['a task that does not exist', (link: URL) => link.pathname.replace(/cgt-[^/]+/, 'cgt-1')],
  ['a world that does not exist', (link: URL) => link.pathname.replace(/back-\d+/, 'nowhere')],
])('a link of this emulator to %s is refused without a request to a host', async (_, changed) => {
  const record = await worldOfA(gateway, name()).finished(bodyOfA({ return_last_frame: true }))
  const link = new URL(record.content.last_frame_url)
  link.pathname = changed(link)
  const content = [image(link.href, 'first_frame')]
  const error = refusal(await worldOfA(gateway, name()).create(bodyOfA({ ratio: 'adaptive', content })))
  expect(error.message).toContain('does not lead to a result')
})
