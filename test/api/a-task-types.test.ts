// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
import { describe, expect, it } from 'vitest'
import { audio, image, text, video, worldOfA } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway()
let worlds = 0
const world = () => worldOfA(gateway, `types-${++worlds}`)
const at = (name: string) => `${gateway.url}/__emulator/samples/${name}`

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

describe('rule 1: frames, edit and extend accept only ratio adaptive (Spec, "Task-type rules for 2.5" 1)', () => {
  const kinds: [string, (changes: Record<string, unknown>) => unknown][] = [
    ['first frame', changes => body([frame], changes)],
    ['one image without a role', changes => body([image(at('landscape.jpg'))], changes)],
    ['first and last frame', changes => body([frame, lastFrame], changes)],
    ['edit', edit],
    ['extend', extend],
  ]

  it.each(kinds.flatMap(([name, make]) => ratios.map(ratio => [name, ratio, make] as const)))(
    '%s refuses %s, and charges nothing',
    async (_, ratio, make) => {
      await world().refused(make({ ratio }), {
        ...constraint,
        param: 'ratio',
        message: '[0] `ratio` must be `adaptive`.',
      })
    },
  )

  it.each(kinds)('%s accepts adaptive and a missing ratio', async (_, make) => {
    await world().made(make({ ratio: 'adaptive' }))
    await world().made(make({}))
    await world().made(make({ ratio: null }))
  })

  it('does not hold for 2.0, which accepts an explicit ratio with a frame', async () => {
    const client = world()
    const record = await client.finished({
      ...body([frame], { ratio: '9:16', duration: 4 }),
      model: 'model_a_20',
    })
    expect(record.ratio).toBe('9:16')
  })
})

describe('rule 2: edit accepts only duration -1 and a reference video of 4 to 30 seconds (Spec, "Task-type rules for 2.5" 2)', () => {
  it.each([4, 5, 30])('refuses duration %i', async duration => {
    await world().refused(edit({ duration }), {
      ...constraint,
      param: 'duration',
      message: '[0] `duration` must be -1.',
    })
  })

  it('accepts -1 and a missing duration', async () => {
    await world().made(edit({ duration: -1 }))
    await world().made(edit())
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
    await world().refused(body([text('brighter'), reference], { omni_reference_task_type: 'edit' }), {
      ...constraint,
      param: 'content',
      message: 'must include a reference video of 4 to 30 seconds',
    })
  })

  it('refuses a reference video of 3 seconds and names it (upstream)', async () => {
    await world().refused(body([text('brighter'), shortClip], { omni_reference_task_type: 'edit' }), {
      ...constraint,
      param: 'content[1].video_url',
      message: '[0] `content[1].video_url` is 3 seconds.',
    })
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
  })

  it.each([3, 31, 0])('refuses duration %i', async duration => {
    await world().refused(extend({ duration }), { param: 'duration' })
  })

  it('refuses an extension without a reference video', async () => {
    for (const content of [[reference], [audio(at('voice-8s.mp3'))]])
      await world().refused(body([text('on'), ...content], { omni_reference_task_type: 'extend' }), {
        ...constraint,
        param: 'content',
        message: 'must include a reference video',
      })
  })

  it('accepts a video that is too short to be edited', async () => {
    await world().made(body([shortClip], { omni_reference_task_type: 'extend' }))
  })
})

describe('rule 4: text to video and plain references accept any ratio (Spec, "Task-type rules for 2.5" 4)', () => {
  it.each(ratios)('%s', async ratio => {
    await world().made(body([text('a cat')], { ratio }))
    await world().made(body([text('a cat'), reference], { ratio, duration: 7 }))
    await world().made(
      body([text('in this style'), clip], { ratio, omni_reference_task_type: 'reference', duration: 4 }),
    )
  })
})

describe('nothing is corrected (Spec, "Task-type rules for 2.5")', () => {
  it('a wrong ratio is refused also beside a right duration, and adaptive is not replaced', async () => {
    await world().refused(body([frame], { ratio: '16:9' }), constraint)
    expect((await jobOf(body([frame], { ratio: 'adaptive', duration: 8 }))).seconds).toBe(8)
  })
})

describe('auto decides the type by the words and the media (A-task-type, upstream)', () => {
  const words: [string, string][] = [
    ['edit the video so that it rains', 'edit'],
    ['Add a hat to the man', 'edit'],
    ['delete the car', 'edit'],
    ['Remove the birds', 'edit'],
    ['modify the sky', 'edit'],
    ['replace the dog by a cat', 'edit'],
    ['change the colour', 'edit'],
    ['把天空改成夜晚', 'edit'],
    ['删除路人', 'edit'],
    ['extend it forward', 'extend'],
    ['Continue the story', 'extend'],
    ['extend backward by some seconds', 'extend'],
    ['向后延长视频', 'extend'],
    ['a video in the same style', 'reference'],
    ['an additional unchanged address', 'reference'],
  ]

  it.each(words)('%s → %s', async (prompt, type) => {
    for (const declared of [undefined, null, 'auto'])
      expect((await jobOf(body([text(prompt), clip], { omni_reference_task_type: declared }))).type).toBe(
        type,
      )
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

  it('uses a declared type whatever the words say', async () => {
    const request = body([text('remove the birds'), clip], {
      omni_reference_task_type: 'reference',
      ratio: '1:1',
    })
    expect((await jobOf(request)).type).toBe('reference')
  })
})

describe('omni_reference_task_type (Spec, "Family A: create request")', () => {
  it.each(['reference', 'edit', 'extend'])(
    '%s is for reference tasks only',
    async omni_reference_task_type => {
      for (const content of [[text('a cat')], [frame], [frame, lastFrame]])
        await world().refused(body(content, { omni_reference_task_type }), {
          param: 'omni_reference_task_type',
        })
    },
  )

  it('auto is allowed everywhere on 2.5, since it is the default', async () => {
    for (const content of [[text('a cat')], [frame], [text('a cat'), reference]])
      await world().made(body(content, { omni_reference_task_type: 'auto' }))
  })

  it.each(['auto', 'reference', 'edit', 'extend'])(
    '%s must not be sent to 2.0',
    async omni_reference_task_type => {
      await world().refused(
        { ...body([text('a cat'), clip], { omni_reference_task_type }), model: 'model_a_20' },
        { param: 'omni_reference_task_type', message: '2.5 only' },
      )
    },
  )

  it.each(['Edit', 'video', ''])('%j is refused as type', async omni_reference_task_type => {
    await world().refused(body([text('a'), clip], { omni_reference_task_type }), {
      param: 'omni_reference_task_type',
      message: 'auto, reference, edit, extend',
    })
  })

  it('does nothing on 2.0: words of editing change nothing there', async () => {
    const client = world()
    const request = {
      ...body([text('remove the birds'), clip], { ratio: '1:1', duration: 4 }),
      model: 'model_a_20',
    }
    expect((await client.finished(request)).ratio).toBe('1:1')
  })

  it('is the mode that scenarios match; words of editing do not change it on 2.0 (interface, "Scenario files")', async () => {
    const client = world()
    const rule = { when: { mode: 'edit' }, then: { refuse: { fault: 'unavailable' } } }
    await client.control('POST', '/scenarios', { name: 'no-edits', rules: [rule] })
    const request = body([text('remove the birds'), clip])
    expect((await client.create(request)).status).toBe(503)
    expect((await client.create({ ...request, model: 'model_a_20' })).status).toBe(200)
  })
})
