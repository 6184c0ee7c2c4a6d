import { describe, expect, it } from 'vitest'
import { readContent } from '../../src/emulator/families/a-contents/content.ts'
import { type Model, models } from '../../src/emulator/families/a-contents/models.ts'
import type { ContentItem } from '../../src/emulator/families/a-contents/schema.ts'
import { FaultError } from '../../src/emulator/faults/fault.ts'
import { audio, image, text, video } from '../support/family-a.ts'

const model = (id: string): Model => {
  const found = models[id]
  if (!found) throw new Error(`There is no model ${id}`)
  return found
}
const [older, newer] = [model('model_a_20'), model('model_a_25')]
const read = (items: unknown[], of = newer) => readContent(items as ContentItem[], of)
const faultOf = (items: unknown[], of = newer) => {
  try {
    read(items, of)
  } catch (error) {
    if (error instanceof FaultError) return { fault: error.fault, ...error.detail }
    throw error
  }
  return undefined
}

describe('readContent (A-content)', () => {
  it('gives for each input file the path of its address in the body', () => {
    expect(read([text('a'), image('x', 'reference_image'), video('y'), audio('z')]).media).toEqual([
      { sort: 'image', role: 'reference', url: 'x', param: 'content[1].image_url.url' },
      { sort: 'video', role: 'reference', url: 'y', param: 'content[2].video_url.url' },
      { sort: 'audio', role: 'reference', url: 'z', param: 'content[3].audio_url.url' },
    ])
  })

  it('allows exactly as many of each kind as the model', () => {
    for (const of of [older, newer])
      for (const [sort, item] of Object.entries({
        image: image('x', 'reference_image'),
        video: video('x'),
        audio: audio('x'),
      })) {
        const most = of.counts[sort as keyof Model['counts']]
        const beside = sort === 'audio' ? [image('x', 'reference_image')] : []
        expect(faultOf([...Array(most).fill(item), ...beside], of)).toBeUndefined()
        expect(faultOf([...Array(most + 1).fill(item), ...beside], of)).toMatchObject({
          fault: 'invalid_parameter',
          param: 'content',
        })
      }
  })
})
