import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { openBrowser } from '../support/console.ts'
import { ownFolder } from '../support/folders.ts'
import { openGateway } from '../support/gateway.ts'
import { distance, frameAt, probe } from '../support/video-files.ts'

const gateway = await openGateway()
const view = await openBrowser(gateway)
const folder = ownFolder('video-frames')

const tasks = '/api/v3/contents/generations/tasks'
const fps = 24

/** Both pictures are compared small: a shift of a few pixels still shows. */
const size = { width: 214, height: 120 }

function shrunk(pixels: Buffer, { width, height }: { width: number; height: number }): Promise<Buffer> {
  const raw = { width, height, channels: 3 } as const
  return sharp(pixels, { raw })
    .resize({ ...size, fit: 'fill' })
    .raw()
    .toBuffer()
}

/** A frame as the browser draws it: three bytes a pixel. It comes as one text, because a list of so many numbers takes long to send. */
async function drawnByBrowser(page: Page, url: string, frame: number): Promise<Buffer> {
  const drawn = await page.evaluate(
    async ({ url, seconds, frameSeconds, width, height }) => {
      const video = document.createElement('video')
      video.src = url
      video.muted = true
      // After the event "seeked" alone, a canvas was once empty: what counts is the frame that is shown.
      const shown = new Promise<void>(resolve => {
        const next = () =>
          video.requestVideoFrameCallback((_, { mediaTime }) => {
            if (mediaTime <= seconds && seconds < mediaTime + frameSeconds) resolve()
            else next()
          })
        next()
      })
      await new Promise(resolve => video.addEventListener('loadeddata', resolve, { once: true }))
      video.currentTime = seconds
      await shown
      const canvas = document.createElement('canvas')
      canvas.width = width
      canvas.height = height
      const context = canvas.getContext('2d')
      const draw = () => {
        context?.drawImage(video, 0, 0, canvas.width, canvas.height)
        return context?.getImageData(0, 0, canvas.width, canvas.height).data ?? []
      }
      let pixels = draw()
      // A browser that has no frame at hand draws nothing, and what is transparent was not drawn.
      while (pixels[3] === 0) {
        await new Promise(requestAnimationFrame)
        pixels = draw()
      }
      let text = ''
      for (const byte of pixels) text += String.fromCharCode(byte)
      return btoa(text)
    },
    { url, seconds: (frame + 0.5) / fps, frameSeconds: 1 / fps, ...size },
  )
  return Buffer.from(Buffer.from(drawn, 'base64').filter((_, i) => i % 4 !== 3))
}

const given = (role: string, sample: string) => ({
  type: 'image_url',
  role,
  image_url: { url: `${gateway.url}/__emulator/samples/${sample}` },
})

it.each([
  ['a drawn scene', () => []],
  ['a given first frame', () => [given('first_frame', 'landscape.jpg')]],
  [
    'a first frame that becomes another last one',
    () => [given('first_frame', 'landscape.jpg'), given('last_frame', 'portrait.jpg')],
  ],
] as const)('a browser shows %s as ffmpeg decodes it, without shift or crop', async (_, media) => {
  const content = [{ type: 'text', text: 'a boat on the sea' }, ...media()]
  const body = { model: 'model_a_20', content, resolution: '480p', duration: 4, ratio: 'adaptive' }
  const created = await gateway.post(tasks, body)
  expect(created.status, created.text).toBe(200)
  await gateway.advance({ until: 'idle' })
  const url = (await gateway.get(`${tasks}/${created.body.id}`)).body.content.video_url
  const file = join(folder, created.body.id)
  await writeFile(file, (await gateway.download(url)).bytes)
  const { streams } = await probe(file)
  const { width = 0, height = 0 } = streams[0] ?? {}
  const page = await view.context.newPage()
  await page.goto(`${gateway.url}/__emulator/guide`)
  for (const frame of [0, 50]) {
    const decoded = await shrunk(await frameAt(file, frame), { width, height })
    const drawn = await drawnByBrowser(page, url, frame)
    expect(distance(drawn, decoded, size.width), `frame ${frame}`).toBeLessThan(6)
  }
})
