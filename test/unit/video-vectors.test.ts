import { describe, expect, it } from 'vitest'
import { models } from '../../src/emulator/families/a-contents/models.ts'
import { writeSps } from '../../src/media/h264/write-pictures.ts'
import type { VideoRecipe } from '../../src/media/render/recipe.ts'
import { codedRows } from '../../src/media/video/coded-picture.ts'
import type { Field } from '../../src/media/video/field.ts'
import { stageOf } from '../../src/media/video/stage.ts'
import { fieldsOf } from '../../src/media/video/stage-field.ts'

import { timelineOf } from '../../src/media/video/timeline.ts'
import { videoRecipe } from '../support/video-files.ts'

/** H.264, Table A-1: MaxVmvR of level 3.1 and above, and the range of horizontal vectors of all levels, in pixels. */
const longest = { down: 512, across: 2048 }

const [one, other] = ['1'.repeat(64), '2'.repeat(64)]
const given: Record<string, Partial<VideoRecipe>> = {
  'a drawn scene': {},
  'a given first frame': { firstFrame: one },
  'given first and last frames': { firstFrame: one, lastFrame: other, references: [one, other] },
  'a given last frame': { lastFrame: other },
  'a scene with a level bar': { audio: 'mono', levelBar: true },
  'an avatar with a level bar': { audio: 'mono', levelBar: true, firstFrame: one, lastFrame: one },
}
const prompts = ['a calm sea at noon', 'a street full of people '.repeat(20)]

const shapes: readonly (readonly [number, number])[] = [
  ...Object.values(models).flatMap(({ pixels }) =>
    Object.values(pixels).flatMap(shapes => Object.values(shapes)),
  ),
  [128, 128],
  [1822, 4554],
  [4554, 1822],
  [2560, 1440],
  [1440, 2560],
  [640, 2160],
]

/** Several models make videos of the same size. */
const sizes = [
  ...new Map(shapes.map(([width, height]) => [`${width}x${height}`, { width, height }])).values(),
]

describe.each(Object.entries(given))('%s', (_, parts) => {
  it('uses motion vectors that every decoder allows, at any size (H.264, A.3)', () => {
    expect(sizes.length).toBeGreaterThan(20)
    for (const size of sizes)
      for (const prompt of prompts) expect({ ...size, ...offence(size, prompt, parts) }).toEqual(size)
  })
})

it.each([
  ['16:9', 3840, 2160],
  ['4:3', 3326, 2494],
  ['1:1', 2880, 2880],
  ['3:4', 2494, 3326],
  ['9:16', 2160, 3840],
  ['21:9', 4398, 1886],
])('no 4k video of %s needs a level above 5.1, whatever is in it', (_, width, height) => {
  const long = { title: 'a task', facts: ['facts '.repeat(20)] }
  for (const parts of [{}, { firstFrame: 'a' }, { levelBar: true, audio: 'mono' }] as const)
    for (const mark of [false, true])
      for (const references of [[], ['a', 'b', 'c']]) {
        const given = { width, height, mark, references, ...parts }
        const recipe = videoRecipe({ ...given, caption: long, prompt: 'words '.repeat(80) })
        expect(writeSps({ ...stageOf(recipe).picture, fps: 24 }, 'both ways')[3]).toBeLessThanOrEqual(51)
      }
})

it('declares a level that allows such vectors, however small the picture is (H.264, Table A-1)', () => {
  for (const { width, height } of sizes) {
    const { picture } = stageOf(videoRecipe({ width, height }))
    expect(writeSps({ ...picture, fps: 24 }, 'both ways')[3]).toBeGreaterThanOrEqual(31)
  }
})

/** The first vector of a video that is too long or copies from outside its coded picture; empty when there is none. */
function offence(size: { width: number; height: number }, prompt: string, parts: Partial<VideoRecipe>) {
  const caption = { title: 'a task', facts: ['facts'] }
  const recipe = videoRecipe({ ...size, ...parts, prompt, caption, frames: 121, mark: true })
  const stage = stageOf(recipe)
  const rows = codedRows(stage.picture)
  const { momentAt } = timelineOf(recipe)
  const fieldAt = fieldsOf(stage)
  const depths = [{ top: 0, depth: 1 }]
  for (let frame = 0; frame < recipe.frames; frame++) {
    const { key, next, sway } = momentAt(frame)
    for (const each of next ? [key, next.key] : [key]) {
      const field = fieldAt({ frame, fps: 24, level: frame / 120, depths, key: each, sway })
      const found = offenceIn(field, { ...size, columns: stage.picture.columns, rows })
      if (found) return { frame, ...found }
    }
  }
  return {}
}

/** `columns` and `rows` are those of the coded picture; `width` is what is shown of it, in pixels. */
function offenceIn(
  field: Field,
  { width, columns: wide, rows }: { width: number; columns: number; rows: number },
) {
  let row = 0
  for (const { count, runs } of field) {
    let column = 0
    for (const { columns, dx, dy } of runs) {
      const isLong = Math.abs(dy) >= longest.down || Math.abs(dx) >= longest.across
      // Columns at the right that are not shown may come from outside.
      const right = Math.min((column + columns) * 16, width)
      const isShown = column * 16 < width
      const isBeside = isShown && (column * 16 + dx < 0 || right + dx > wide * 16)
      const isOutside = isBeside || row * 16 + dy < 0 || (row + count) * 16 + dy > rows * 16
      if (isLong || isOutside) return { row, column, dx, dy }
      column += columns
    }
    row += count
  }
  return undefined
}
