import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { worldOfImages } from '../support/family-image.ts'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway()

/** Mean red, green and blue of the upper and of the lower third of an edited sample. */
async function edited(prompt: string): Promise<{ upper: number[]; lower: number[] }> {
  const client = worldOfImages(gateway)
  const image = `${gateway.url}/__emulator/samples/landscape.jpg`
  const { data } = await client.made({ image, prompt, size: '1280x736', output_format: 'png' })
  const { bytes } = await gateway.download(data[0].url)
  const part = async (top: number) => {
    const cut = await sharp(bytes)
      .extract({ left: 40, top, width: 1200, height: 200 })
      .removeAlpha()
      .png()
      .toBuffer()
    return (await sharp(cut).stats()).channels.map(({ mean }) => mean)
  }
  return { upper: await part(40), lower: await part(480) }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

describe('an edit honours the words of its prompt', () => {
  it.each(['make it night', '改成夜晚', 'сделай ночь', 'hazlo de noche'])(
    '%s: it becomes dark and blue',
    async prompt => {
      const [plain, night] = [await edited('as it is'), await edited(prompt)]
      expect(sum(night.lower)).toBeLessThan(sum(plain.lower) * 0.8)
      expect(night.lower[2]).toBeGreaterThan(night.lower[0] ?? 255)
    },
  )

  it.each(['in winter', '下雪', 'зимой'])('%s: the lower part becomes white with snow', async prompt => {
    const [plain, winter] = [await edited('as it is'), await edited(prompt)]
    expect(sum(winter.lower)).toBeGreaterThan(sum(plain.lower) * 1.15)
  })

  it.each([
    ['make it red', 0],
    ['un coche verde', 1],
    ['蓝色的', 2],
  ] as const)('%s: the picture takes on that colour', async (prompt, channel) => {
    const { upper } = await edited(prompt)
    const grey = await edited('black and white')
    const lean = (values: readonly number[]) => (values[channel] ?? 0) - sum(values) / 3
    expect(lean(upper)).toBeGreaterThan(lean(grey.upper) + 6)
  })

  it('several words act together', async () => {
    const [winter, both] = [await edited('in winter'), await edited('a winter night')]
    expect(sum(both.lower)).toBeLessThan(sum(winter.lower))
    expect(both).not.toEqual(await edited('make it night'))
  })
})
