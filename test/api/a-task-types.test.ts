// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
import { describe, expect, onTestFinished } from 'vitest'
import { paired } from '../support/contract.ts'
import { audio, image, text, video, worldOfA } from '../support/family-a.ts'
import { startInputServer } from '../support/input-server.ts'
import { shows } from '../support/shows.ts'
import { renderedVideo } from '../support/video-files.ts'
import { inWorldsOf } from '../support/worlds.ts'

const { world, it, sample: at } = await inWorldsOf(worldOfA)

const frame = image(at('landscape.jpg'), 'first_frame')
const lastFrame = image(at('portrait.jpg'), 'last_frame')
const reference = image(at('landscape.jpg'), 'reference_image')
const clip = video(at('clip-720p-5s.mp4'))
/** Three seconds long: too short to be edited. */
const shortClip = video(at('clip-silent.mp4'))
const ratios = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9']
const constraint = { code: 'InvalidParameter.TaskTypeConstraint', type: 'BadRequest' }

const body = (content: unknown[], changes: Record<string, unknown> = {}) => ({
  model: 'model_a_25',
  content,
  ...changes,
})
const edit = (changes: Record<string, unknown> = {}) =>
  body([text('make it night'), clip], { omni_reference_task_type: 'edit', ...changes })
const extend = (changes: Record<string, unknown> = {}) =>
  body([text('on and on'), clip], { omni_reference_task_type: 'extend', ...changes })

async function jobOf(request: Record<string, unknown>) {
  const client = world()
  const id = await client.made(request)
  return (await client.control('GET', `/tasks/${id}`)).body.job
}

it.for([
  ['edit', 'make it night', true],
  ['edit', 'on and on, extend the video', false],
  ['auto', 'on and on, extend the video', true],
  [undefined, 'make it night', true],
] as const)(
  'a rule about type_mismatch lets %s with "%s" pass: %s (docs/words.md)',
  async ([declared, words, passes], { client }) => {
    const when = { operation: 'a.create', mode: 'type_mismatch' }
    const rules = [{ when, then: { refuse: { fault: 'moderated' } } }]
    await client.control('POST', '/scenarios', { name: 'mismatch', rules })
    const request = body([text(words), clip], { omni_reference_task_type: declared })
    expect((await client.create(request)).status).toBe(passes ? 200 : 403)
  },
)

describe('rule 1: frames, edit and extend accept only ratio adaptive (Spec, "Task-type rules for 2.5" 1)', () => {
  const kinds: [string, (changes: Record<string, unknown>) => unknown][] = [
    ['first frame', changes => body([frame], changes)],
    ['one image without a role', changes => body([image(at('landscape.jpg'))], changes)],
    ['first and last frame', changes => body([frame, lastFrame], changes)],
    ['edit', edit],
    ['extend', extend],
  ]

  it.each(paired(kinds, ratios).map(([[name, make], ratio]) => [name, ratio, make] as const))(
    '%s refuses %s, and charges nothing',
    async (_, ratio, make) => {
      const message = '[0] `ratio` must be `adaptive`.'
      await world().refused(make({ ratio }), { ...constraint, param: 'ratio', message })
      shows('a.create.first-frame-ratio', 'a.create.edit-ratio', 'a.create.extend-ratio')
    },
  )

  it.each(kinds)('%s accepts adaptive and a missing ratio', async (_, make) => {
    for (const ratio of ['adaptive', undefined, null]) await world().made(make({ ratio }))
  })

  it('does not hold for 2.0, which accepts an explicit ratio with a frame', async () => {
    const request = body([frame], { model: 'model_a_20', ratio: '9:16', duration: 4 })
    expect((await world().finished(request)).ratio).toBe('9:16')
  })
})

describe('rule 2: edit accepts only duration -1 and a reference video of 4 to 30 seconds (Spec, "Task-type rules for 2.5" 2)', () => {
  it.each([4, 5, 30])('refuses duration %i', async duration => {
    const message = '[0] `duration` must be -1.'
    await world().refused(edit({ duration }), { ...constraint, param: 'duration', message })
  })

  it('accepts -1 and a missing duration', async () => {
    await world().made(edit({ duration: -1 }))
    await world().made(edit())
    shows('a.create.edit-duration')
  })

  it('lists every issue, in order (upstream)', async () => {
    const { message, param } = await world().refused(edit({ ratio: '16:9', duration: 5 }), constraint)
    expect(param).toBe('ratio')
    expect(message).toContain('`ratio`, `duration`')
    expect(message).toContain(
      'video editing; ratio and duration follow the input video, which must be 4 to 30 seconds',
    )
    expect(message).toContain('Issues: [0] `ratio` must be `adaptive`. [1] `duration` must be -1.')
  })

  it('refuses an edit without a reference video', async () => {
    const message = 'must include a reference video of 4 to 30 seconds'
    await world().refused(edit({ content: [text('brighter'), reference] }), {
      ...constraint,
      param: 'content',
      message,
    })
    shows('a.create.edit-video')
  })

  it('takes reference videos of 4 and of 30 seconds, and refuses one of 31', async () => {
    const files = new Map<string, Buffer>()
    for (const seconds of [4, 30, 31])
      files.set(`/${seconds}.mp4`, await renderedVideo({ width: 864, height: 480, frames: seconds * 24 }))
    const web = await startInputServer((request, response) => response.end(files.get(request.url ?? '')))
    onTestFinished(() => web.close())
    const editOf = (seconds: number) => edit({ content: [video(`${web.origin}/${seconds}.mp4`)] })
    await world().made(editOf(4))
    await world().made(editOf(30))
    const { param } = await world().refused(editOf(31), {})
    expect(param).toContain('content[0].video_url')
    shows('a.create.edit-length')
  })

  it('refuses a reference video of 3 seconds and names it (upstream)', async () => {
    const refusal = { param: 'content[1].video_url', message: '[0] `content[1].video_url` is 3 seconds.' }
    await world().refused(edit({ content: [text('brighter'), shortClip] }), { ...constraint, ...refusal })
    shows('a.create.edit-length')
  })

  it('an edit has the length of the input video', async () => {
    expect(await jobOf(edit())).toMatchObject({ type: 'edit', seconds: 5, ratio: '16:9' })
  })
})

describe('rule 3: extend needs a reference video and ratio adaptive; duration is -1 or 4 to 30 (Spec, "Task-type rules for 2.5" 3)', () => {
  it.each([-1, 4, 17, 30, undefined])('accepts duration %s', async duration => {
    const job = await jobOf(extend({ duration }))
    expect(job.type).toBe('extend')
    if (duration !== undefined && duration > 0) expect(job.seconds).toBe(duration)
    shows('a.create.extend-duration')
  })

  it.each([3, 31, 0])('refuses duration %i', async duration => {
    await world().refused(extend({ duration }), { param: 'duration' })
  })

  it('refuses an extension without a reference video', async () => {
    const refusal = { ...constraint, param: 'content', message: 'must include a reference video' }
    for (const item of [reference, audio(at('voice-8s.mp3'))])
      await world().refused(extend({ content: [text('on'), item] }), refusal)
    shows('a.create.extend-video')
  })

  it('accepts a video that is too short to be edited', async () => {
    await world().made(extend({ content: [shortClip] }))
  })
})

it('without a ratio, a video has the shape of its first frame, as with adaptive', async () => {
  const ratioOf = async (name: string, changes: object) =>
    (await world().finished(body([image(at(name), 'first_frame')], { duration: 4, ...changes }))).ratio
  const shapes = ['portrait.jpg', 'landscape.jpg'].map(async name => {
    const [left, adaptive] = [await ratioOf(name, {}), await ratioOf(name, { ratio: 'adaptive' })]
    expect(left).toBe(adaptive)
    return left
  })
  const [portrait, landscape] = await Promise.all(shapes)
  expect(portrait).not.toBe(landscape)
  shows('a.create.ratio-default')
})

describe('rule 4: text to video and plain references accept any ratio (Spec, "Task-type rules for 2.5" 4)', () => {
  it.each([...ratios, 'adaptive'])('%s', async ratio => {
    await world().made(body([text('a cat')], { ratio }))
    await world().made(body([text('in this style'), reference], { ratio, omni_reference_task_type: 'auto' }))
    await world().made(body([text('a cat'), reference], { ratio, duration: 7 }))
    const declared = { ratio, omni_reference_task_type: 'reference', duration: 4 }
    await world().made(body([text('in this style'), clip], declared))
    shows('a.create.free-ratio')
  })
})

describe('nothing is corrected (Spec, "Task-type rules for 2.5")', () => {
  it('a wrong ratio is refused also beside a right duration, and adaptive is not replaced', async () => {
    await world().refused(body([frame], { ratio: '16:9', duration: 8 }), constraint)
    const upright = image(at('portrait.jpg'), 'first_frame')
    const job = await jobOf(body([upright], { ratio: 'adaptive', duration: 8 }))
    expect(job).toMatchObject({ seconds: 8, ratio: '9:16' })
    shows('a.create.no-correction')
  })
})

describe('auto decides the type by the words and the media (A-task-type, upstream)', () => {
  it.each([
    ['Remove the birds', 'edit'],
    ['向后延长视频', 'extend'],
    ['a video in the same style', 'reference'],
  ])('%s → %s (task-type.test.ts has more words)', async (prompt, type) => {
    for (const omni_reference_task_type of [undefined, null, 'auto']) {
      const job = await jobOf(body([text(prompt), clip], { omni_reference_task_type }))
      expect(job.type).toBe(type)
    }
  })

  it.each([
    'extend the video backward by some seconds',
    'Extend Video 1 backwards: the runner ties her shoes',
    'what happened before video 1',
    'a prequel to the clip',
    'extend it at the beginning',
    '向前延长视频1',
    '生成视频1之前的内容',
    'extiende el vídeo hacia atrás',
  ])('an extension backward (%s) ends with the first picture of its source', async prompt => {
    const [back, on] = await Promise.all(
      [prompt, 'go on'].map(each => jobOf(extend({ content: [text(each), clip] }))),
    )
    expect(back.lastPicture).toBe(back.references[0])
    expect(back).not.toHaveProperty('firstPicture')
    expect(on.firstPicture).toMatch(/^[0-9a-f]{64}$/)
    expect(on.firstPicture).not.toBe(back.lastPicture)
    expect(on).not.toHaveProperty('lastPicture')
  })

  it.each([
    'extend the video: he walks backwards',
    'extend it forward',
    '向后延长视频',
    'Continue the story',
  ])('an extension that goes on (%s) begins with the last picture of its source', async prompt => {
    const job = await jobOf(extend({ content: [text(prompt), clip] }))
    expect(job.firstPicture).toMatch(/^[0-9a-f]{64}$/)
    expect(job).not.toHaveProperty('lastPicture')
  })

  it('needs a reference video for an edit: the same words beside a picture mean a plain reference', async () => {
    expect((await jobOf(body([text('remove the birds'), reference]))).type).toBe('reference')
    expect((await jobOf(body([text('remove the birds')]))).type).toBe('text')
  })

  it('then applies the rules of that type in the create', async () => {
    await world().refused(body([text('remove the birds'), clip], { ratio: '16:9', duration: 5 }), {
      ...constraint,
      message: 'Issues: [0] `ratio` must be `adaptive`. [1] `duration` must be -1.',
    })
    await world().refused(body([text('remove the birds'), shortClip]), {
      ...constraint,
      message: 'is 3 seconds',
    })
    await world().refused(body([text('continue the story'), clip], { ratio: '1:1' }), constraint)
  })

  const findingsOn = async (request: Record<string, unknown>) => {
    const client = world()
    const id = await client.made(request)
    const { items } = (await client.control('GET', '/findings')).body
    const story = (await client.control('GET', `/tasks/${id}/story`)).body.text
    const found = items.filter((one: { task_id?: string }) => one.task_id === id)
    expect(story.includes('finding     task_type_guessed')).toBe(found.length > 0)
    return found
  }

  it.each([
    ['a chef replaces the pan, camera as in video 1', { ratio: '4:3' }, 'reference'],
    ['a cat plays the piano', { duration: 7 }, 'reference'],
    ['make the balloon in video 1 red', { ratio: 'adaptive', duration: -1 }, 'edit'],
    ['接着视频1往后拍', { duration: 8 }, 'extend'],
  ])('a guess that meets a ratio or duration is a finding: %s with %j', async (prompt, changes, type) => {
    const request = body([text(prompt), clip], changes)
    expect(await findingsOn(request)).toMatchObject([
      { kind: 'task_type_guessed', text: expect.stringContaining(`was read as ${type}`) },
    ])
    expect(await findingsOn({ ...request, ratio: null, duration: null })).toEqual([])
    expect(await findingsOn({ ...request, omni_reference_task_type: type })).toEqual([])
  })

  it('a refusal of a guessed type says how the prompt was read and how to declare the type', async () => {
    const { message } = await world().refused(body([text('Upscale the video'), clip], { ratio: '4:3' }), {})
    expect(message).toContain('auto was read as edit, because the prompt says “Upscale the video”')
    expect(message).toContain('declare omni_reference_task_type')
  })

  it('2.0 has no task types, so nothing is guessed', async () => {
    const request = body([text('remove the birds'), clip], { model: 'model_a_20', ratio: '16:9' })
    expect(await findingsOn(request)).toEqual([])
  })

  it('without a video nothing is guessed', async () => {
    expect(await findingsOn(body([text('remove the birds'), reference], { ratio: '16:9' }))).toEqual([])
    expect(await findingsOn(body([text('remove the birds')], { ratio: '16:9' }))).toEqual([])
  })

  it('uses a declared type whatever the words say', async () => {
    const declared = { omni_reference_task_type: 'reference', ratio: '1:1' }
    const request = body([text('remove the birds'), clip], declared)
    expect((await jobOf(request)).type).toBe('reference')
  })
})

describe('omni_reference_task_type (Spec, "Family A: create request")', () => {
  const [texts, references] = [[text('a cat')], [text('a cat'), clip]]
  // biome-ignore format: a table, one row a line
  const refused: [what: string, types: string[], contents: unknown[][], model: string, message: string][] = [
    ['is for reference tasks only', ['reference', 'edit', 'extend'], [texts, [frame], [frame, lastFrame]], 'model_a_25', ''],
    ['must not be sent to 2.0', ['auto', 'reference', 'edit', 'extend'], [references], 'model_a_20', '2.5 only'],
    ['is no type', ['Edit', 'video', ''], [references], 'model_a_25', 'auto, reference, edit, extend'],
  ]
  it.each(refused.flatMap(([what, types, ...more]) => types.map(type => [type, what, ...more] as const)))(
    '%j %s',
    async (omni_reference_task_type, _, contents, model, message) => {
      for (const content of contents) {
        const request = body(content, { omni_reference_task_type, model })
        await world().refused(request, { param: 'omni_reference_task_type', message })
      }
      shows('a.create.task-type', 'a.create.task-type-20')
    },
  )

  it('auto is allowed everywhere on 2.5, since it is the default', async () => {
    for (const content of [[text('a cat')], [frame], [text('a cat'), reference]])
      await world().made(body(content, { omni_reference_task_type: 'auto' }))
    shows('a.create.task-type-default')
  })

  it('does nothing on 2.0: words of editing change nothing there', async () => {
    const changes = { model: 'model_a_20', ratio: '1:1', duration: 4 }
    const request = body([text('remove the birds'), clip], changes)
    expect((await world().finished(request)).ratio).toBe('1:1')
  })

  it('is the mode that scenarios match; words of editing do not change it on 2.0', async ({ client }) => {
    const rule = { when: { mode: 'edit' }, then: { refuse: { fault: 'unavailable' } } }
    await client.control('POST', '/scenarios', { name: 'no-edits', rules: [rule] })
    const request = body([text('remove the birds'), clip])
    expect((await client.create(request)).status).toBe(503)
    expect((await client.create({ ...request, model: 'model_a_20' })).status).toBe(200)
  })
})
