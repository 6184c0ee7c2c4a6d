/** A world that looks like an afternoon of work, for pictures of the console. */

interface Call {
  path: string
  body: object
  /** Virtual time that passes before it. */
  afterSeconds: number
}

const callAfter = (afterSeconds: number, path: string, body: object): Call => ({ afterSeconds, path, body })

const video = (text: string, more: object = {}) => ({
  model: 'model_a_25',
  content: [{ type: 'text', text }],
  duration: 5,
  resolution: '720p',
  ratio: '16:9',
  ...more,
})
const familyA = '/api/v3/contents/generations/tasks'

const synthesis = (prompt: string) => ({
  model: 'model_b',
  input: { prompt },
  parameters: { resolution: '720P', ratio: '16:9', duration: 5 },
})
const familyB = '/api/v1/services/aigc/video-generation/video-synthesis'

const generation = (text: string) => ({
  model: 'model_c',
  content: [{ type: 'text', text }],
  resolution: '768P',
  duration: 5,
  ratio: '16:9',
})
const familyC = '/v2/video_generation'

const images = '/api/v3/images/generations'

const calls: readonly Call[] = [
  callAfter(4, familyC, generation('A cat sleeps on the sofa, noon')),
  callAfter(7, familyC, generation('A paper boat sails down a flooded street')),
  callAfter(6, familyA, video('A lighthouse at dawn, waves rolling in, gulls crossing from left to right')),
  callAfter(3, familyA, video('A city of glass under a green sky', { resolution: '9k' })),
  callAfter(9, familyA, video('A city of glass under a green sky [[fail:InternalServiceError]]')),
  callAfter(6, familyB, synthesis('Steam rises from a bowl of noodles [[queue:48s]]')),
  callAfter(8, familyC, generation('Two foxes play in fresh snow')),
  callAfter(7, familyA, video('A kite over the dunes [[cancel]]')),
  callAfter(9, images, {
    model: 'model_image',
    prompt: 'A red paper boat on a calm lake at dawn',
    size: '2K',
  }),
  callAfter(6, familyA, video('A panda in the mountains, spring morning', { model: 'model_a_20' })),
  callAfter(7, familyA, video('Macro of a soap bubble freezing', { seeds: 7 })),
  callAfter(6, familyC, generation('The library at night, candles only')),
  callAfter(6, familyB, synthesis('A koi pond from above, light rain')),
  callAfter(7, familyA, video('A clockwork bird wakes up [[queue:22s]]')),
]

/** Fills the default world of an emulator with a manual clock. Returns the id of the task with the lighthouse. */
export async function fillWorld(url: string): Promise<string> {
  const control = (method: string, path: string, body?: object) =>
    send(url, method, `/__emulator${path}`, body)
  let told = ''
  for (const { afterSeconds, path, body } of calls) {
    await control('POST', '/clock/advance', { by: `${afterSeconds}s` })
    const { id } = await send(url, 'POST', path, body)
    if (JSON.stringify(body).includes('lighthouse')) told = String(id)
    for (let i = 0; i < 3 && path === familyA && id !== undefined; i++)
      await send(url, 'GET', `${familyA}/${id}`)
  }
  await control('POST', '/clock/advance', { by: '3s' })
  await control('POST', '/snapshots', { name: 'ready' })
  await control('POST', '/assets', { kind: 'image', url: `${url}/__emulator/samples/square.png` })
  return told
}

async function send(
  url: string,
  method: string,
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const reply = await fetch(`${url}${path}`, {
    method,
    headers: { Authorization: 'Bearer sk-emulator', 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return (await reply.json()) as Record<string, unknown>
}
