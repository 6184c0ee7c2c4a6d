import { expect, it } from 'vitest'
import { textBody, worldOfA } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'
import { fetchedFile, probe } from '../support/video-files.ts'

const gateways = {
  browser: await openGateway({ codecs: 'browser' }),
  upstream: await openGateway({ codecs: 'upstream' }),
}

/** The output of ffprobe for the file of a task, after decoding all of it. */
async function probed(codecs: keyof typeof gateways, changes: Record<string, unknown>) {
  const gateway = gateways[codecs]
  const body = textBody({ resolution: '480p', duration: 4, ...changes })
  const { content } = await worldOfA(gateway, 'codecs').finished(body)
  return probe((await fetchedFile(gateway, content.video_url)).file)
}

it('with codecs: upstream, a mov file has video in 4:4:4 and PCM sound (A-codec)', async () => {
  const { streams, seconds } = await probed('upstream', { output_format: 'mov' })
  const [video, sound] = streams
  expect(video).toMatchObject({ codec_name: 'h264', pix_fmt: 'yuv444p', nb_read_frames: '97' })
  expect(video?.profile).toBe('High 4:4:4 Predictive')
  expect(sound).toMatchObject({ codec_name: 'pcm_s16le', channels: 1 })
  expect(Number(sound?.duration)).toBeCloseTo(97 / 24, 3)
  expect(seconds).toBeCloseTo(97 / 24, 3)
})

it.each([
  ['browser', 'mov'],
  ['browser', 'mp4'],
  ['upstream', 'mp4'],
] as const)(
  'with codecs: %s, an %s file of 480p plays in browsers: 4:2:0 and AAC (A-codec)',
  async (codecs, format) => {
    const { streams } = await probed(codecs, { output_format: format })
    expect(streams).toMatchObject([
      { codec_name: 'h264', pix_fmt: 'yuv420p' },
      { codec_name: 'aac', channels: 1 },
    ])
  },
)

it('with codecs: upstream, a silent mov file has no sound track (A-codec)', async () => {
  const { streams } = await probed('upstream', { output_format: 'mov', generate_audio: false })
  expect(streams).toMatchObject([{ pix_fmt: 'yuv444p' }])
})

it.each([
  ['model_a_20', '4k', 'hevc'],
  ['model_a_25', '1080p', 'hevc'],
  ['model_a_20', '1080p', 'h264'],
  ['model_a_25', '720p', 'h264'],
])(
  'with codecs: upstream, a video of %s in %s is planned as %s (A-codec)',
  async (model, resolution, codec) => {
    const world = worldOfA(gateways.upstream, 'planned')
    const { id } = await world.finished(textBody({ model, resolution }))
    const { media } = (await world.control('GET', `/tasks/${id}`)).body
    expect(media[0].recipe.codec).toBe(codec)
  },
)
