import { families } from '../../src/emulator/families/index.ts'
import { publicUrl, type Send } from '../../test/support/data-gateway.ts'

/** A scenario as `--scenario FILE` gives it; opening the directory again needs it. */
export const fileScenario = { name: 'of-a-file', rules: [] }

const sample = (name: string) => `${publicUrl}/__emulator/samples/${name}`
const item = (type: 'image_url' | 'video_url', name: string, role: string) => ({
  type,
  [type]: { url: sample(name) },
  role,
})
const tasksOfA = '/api/v3/contents/generations/tasks'
const imagesPath = '/api/v3/images/generations'
const ofA = (text: string, more: object = {}, media: object[] = []) => ({
  model: 'model_a_20',
  content: [{ type: 'text', text }, ...media],
  resolution: '480p',
  duration: 4,
  ratio: '1:1',
  ...more,
})
const of25 = { model: 'model_a_25', resolution: '480p', duration: 4 }
const asPicture = { model: 'model_image', size: '1K' }
// biome-ignore lint/suspicious/noThenProperty: the word of the scenario language, never awaited
const waiting = { operation: 'a.create', nth: 50, then: { refuse: { fault: 'rate_limited' } } }

/**
 * Uses an emulator until it holds each kind of record and, as far as these differ in what is stored, of task, fact, input, result and
 * note. A new kind of task is made without a change here; a new field needs a request that fills it.
 */
export async function liveAt(url: string, send: Send): Promise<void> {
  const control: Control = (method, path, body) => send(method, `/__emulator${path}`, body)
  await makeEachKind(control)
  await makeVideos(send)
  await makePictures(send)
  await changeTasks(url, send, control)
  await control('PATCH', '/accounts/shop', {
    balance: 25,
    models: ['model_a_20'],
    resolutions: ['480p'],
    keys: { old: { disabled: true } },
  })
  await control('POST', '/assets', { kind: 'image', url: sample('square.png'), certified_person: true })
  await control('POST', '/assets', { kind: 'video', url: sample('clip-768p-107f.mp4'), account: 'shop' })
  await control('POST', '/assets', { kind: 'audio', url: sample('voice-8s.mp3') })
  await control('POST', '/scenarios', { name: 'posted', rules: [] })
  await control('POST', '/inject', waiting)
  await control('POST', '/snapshots', { name: 'early' })
  await control('POST', '/clock/advance', { by: '2m' })
  const given = { id: 'given', scenarios: ['late-failure', { name: 'of-this-world', rules: [] }] }
  await control('POST', '/worlds', given)
  await send('POST', tasksOfA, ofA('a boat'), 'sk-test-opened-by-key.poor')
}

type Control = (method: string, path: string, body?: unknown) => ReturnType<Send>

async function makeEachKind(control: Control): Promise<void> {
  for (const { id: family, makers } of families) {
    for (const kind of Object.keys(makers)) {
      const request = smallest[kind]
      await control('POST', '/tasks', { family, kind, ...(request && { request }) })
    }
  }
}

const pictured = { resolution: '768P', duration: 5, ratio: '1:1' }
const inSettings = { settings: { resolution: '720p', duration: 3 } }
const regenerated = {
  model: 'model_c',
  resolution: '2K',
  content: [item('video_url', 'clip-768p-107f.mp4', 'base_video')],
}

/** Requests for small results, where the examples ask for large ones. */
const smallest: Readonly<Record<string, object>> = {
  a: ofA('A kite over the dunes'),
  b: { model: 'model_b', input: { prompt: 'A kite' }, parameters: { resolution: '480P', duration: 3 } },
  c: { model: 'model_c', content: [{ type: 'text', text: 'A kite' }], ...pictured },
  special: { model: 'model_c', content: [{ type: 'text', text: 'A kite' }], ...pictured },
  'c.regenerate': regenerated,
  'special.regenerate': regenerated,
  k: {
    prompt: 'A kite',
    contents: [{ type: 'first_frame', url: sample('square.png') }],
    ...inSettings,
    options: { watermark_info: { enabled: true } },
  },
  'k.avatar': { image: sample('square.png') },
  'k.motion': {
    contents: [
      { type: 'image', url: sample('square.png') },
      { type: 'video', url: sample('clip-768p-107f.mp4') },
    ],
    settings: { character_orientation: 'video', resolution: '720p' },
  },
  'k.omni': {
    contents: [{ type: 'prompt', text: 'A kite' }],
    settings: { ...inSettings.settings, aspect_ratio: '1:1' },
  },
  image: { ...asPicture, prompt: 'A kite over the dunes' },
}

async function makeVideos(send: Send): Promise<void> {
  const frames = [
    item('image_url', 'square.png', 'first_frame'),
    item('image_url', 'square.png', 'last_frame'),
  ]
  const references = [
    item('image_url', 'square.png', 'reference_image'),
    item('video_url', 'clip-768p-107f.mp4', 'reference_video'),
  ]
  const more = { return_last_frame: true, output_format: 'mov', watermark: true, safety_identifier: 'user-1' }
  await send('POST', tasksOfA, ofA('A kite rises', { ...of25, ratio: 'adaptive', ...more }, frames))
  await send('POST', tasksOfA, ofA('A kite like in Image 1', { ...of25, odd_field: 1 }, references))
  // Nothing is fetched from there, so that the task has a note.
  const unread = { type: 'image_url', image_url: { url: 'https://example.com/x.png' }, role: 'first_frame' }
  await send('POST', tasksOfA, ofA('A kite from afar', {}, [unread]))
  await send('POST', '/api/v1/services/aigc/video-generation/video-synthesis', {
    model: 'model_b_prime',
    input: {
      prompt: 'A kite of Image 1',
      media: [{ type: 'reference_image', url: sample('square.png') }],
    },
    parameters: { resolution: '480P', duration: 3, seed: 5, watermark: true },
  })
}

async function makePictures(send: Send): Promise<void> {
  const picture = (body: object) => send('POST', imagesPath, { ...asPicture, ...body })
  const cut = { output_format: 'png', background: 'transparent', watermark: true }
  await picture({ prompt: 'A kite', image: sample('square.png'), ...cut })
  await picture({ prompt: 'A kite at <point>500 300</point>', image: sample('square.png') })
  await picture({ prompt: 'Image 1 beside Image 2', image: [sample('square.png'), sample('layered.png')] })
  await picture({ prompt: 'A kite', response_format: 'b64_json' })
  await picture({ prompt: 'Take it apart', image: sample('layered.png'), layer_decomposition: true })
}

/** Facts, faults, failures, labels, rules, slots and names. */
async function changeTasks(url: string, send: Send, control: Control): Promise<void> {
  const made = async (text: string, key?: string) =>
    idOf((await send('POST', tasksOfA, ofA(text), key)).body as { id: string })
  await made('[[fail:InternalServiceError]] a boat')
  await made('[[never]] a boat')
  await made('[[media:truncated]] [[link:expired]] a boat')
  const plan = { queued: '1s', running: '2s', gone: '1h', label: 'first' }
  await control('POST', '/tasks', { family: 'a', kind: 'a', request: ofA('A kite'), plan })
  const options = { external_task_id: 'mine' }
  await control('POST', '/tasks', { family: 'k', kind: 'k', request: { ...smallest.k, options } })
  const cancelled = await made('[[queue:10m]] a boat')
  await send('DELETE', `${tasksOfA}/${cancelled}`)
  for (let slot = 0; slot < 5; slot++) await made('[[queue:0s]] a boat', 'sk-emulator.throttled')
  const { body } = await send('GET', tasksOfA, undefined, 'sk-emulator.throttled')
  const [latest] = (body as { items: { id: string }[] }).items
  await send('DELETE', `${tasksOfA}/${latest?.id}`, undefined, 'sk-emulator.throttled')
  const removed = await made('[[queue:0s]] [[run:0s]] a boat')
  await send('DELETE', `${tasksOfA}/${removed}`)
  const forced = await made('[[queue:10m]] a boat')
  await control('POST', `/tasks/${forced}/force`, { status: 'failed', error: { code: 'X', message: 'y' } })
  const done = await made('[[queue:0s]] [[run:0s]] a kite')
  const { content } = (await send('GET', `${tasksOfA}/${done}`)).body as { content: { video_url: string } }
  await (await fetch(content.video_url.replace(publicUrl, url))).arrayBuffer()
  await control('POST', `/tasks/${done}/expire-link`)
}

function idOf({ id }: { id: string }): string {
  return id
}
