import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type EmulatorProcess, startProcess } from './support/emulator-process.ts'
import { text, textBody, worldOfA } from './support/family-a.ts'
import { root } from './support/fresh-build.ts'
import { type Gateway, openGateway, openingTime } from './support/gateway.ts'

/** Examples of each way in which files are made: drawn, from a picture, with a given sound, edited, taken apart. */
const examples: Readonly<Record<string, string>> = {
  'a/a.create.text': '/api/v3/contents/generations/tasks',
  'b/b.create.text': '/api/v1/services/aigc/video-generation/video-synthesis',
  'k/k.avatar.create.sound-file': '/videos/avatar/image2video',
  'image/image.generate.text': '/api/v3/images/generations',
  'image/image.generate.interactive-edit': '/api/v3/images/generations',
  'image/image.generate.layers': '/api/v3/images/generations',
}

/** Creates every example, waits for the end, and gives the tasks as text and a digest of each of their files. */
async function filesFrom(program: EmulatorProcess): Promise<{ tasks: string; digests: string[] }> {
  for (const [name, path] of Object.entries(examples)) {
    const example = readFileSync(`${root}/fixtures/requests/${name}.json`, 'utf8')
    const samples = `${program.url}/__emulator/samples`
    const { status, body } = await program.call(
      'POST',
      path,
      JSON.parse(example.replaceAll('{{samples}}', samples)),
    )
    expect(status, `${name}: ${JSON.stringify(body)}`).toBe(200)
  }
  await program.call('POST', '/__emulator/clock/advance', { until: 'idle' })
  const { body } = await program.call('GET', '/__emulator/tasks')
  const links: string[] = body.items.flatMap(({ media }: { media: { url: string }[] }) =>
    media.map(({ url }) => url),
  )
  const digests = []
  for (const link of links) digests.push(digestOf(Buffer.from(await (await fetch(link)).arrayBuffer())))
  const tasks = JSON.stringify(body.items)
    .replaceAll(/http:\/\/(?:localhost|127\.0\.0\.1):\d+/g, 'BASE')
    .replaceAll(/Signature=\w+/g, 'Signature')
  return { tasks, digests }
}

function digestOf(bytes: Buffer): string {
  expect(bytes.length).toBeGreaterThan(1_000)
  return createHash('sha256').update(bytes).digest('hex')
}

it('two programs with the same seed, moment and calls give the same ids, texts and bytes', async () => {
  const options = ['--clock', 'manual', '--seed', '7', '--now', openingTime]
  const [first, second] = [await startProcess(options), await startProcess(options)]
  const files = await filesFrom(first)
  expect(files.digests.length).toBeGreaterThanOrEqual(Object.keys(examples).length)
  expect(await filesFrom(second)).toEqual(files)
})

const [one, other] = [await openGateway({ seed: 7 }), await openGateway({ seed: 8 })]

/** The replies of one sequence of calls. */
async function session(gateway: Gateway, name: string): Promise<string[]> {
  const client = worldOfA(gateway, name)
  const told: string[] = []
  const tell = (reply: { text: string; headers: Record<string, string> }) => {
    const neutral = reply.text.replaceAll(gateway.url, 'BASE').replaceAll(name, 'WORLD')
    const text = neutral.replace(/Signature=\w+/g, 'Signature')
    const { 'x-request-id': id, date } = reply.headers
    // The control API's own Date is that of the machine.
    told.push(id === undefined ? text : `${id} ${date} ${text}`)
  }
  const bodies = [
    textBody({ resolution: '480p', duration: -1, return_last_frame: true, ratio: 'adaptive' }),
    textBody({ resolution: '480p', duration: 4, watermark: true }),
    textBody({ content: [text('[[fail:InternalServiceError]] a')] }),
    textBody({ duration: 99 }),
  ]
  const ids: string[] = []
  for (const body of bodies) {
    const reply = await client.create(body)
    tell(reply)
    if (reply.status === 200) ids.push(reply.body.id)
  }
  tell(await client.advance({ until: 'idle' }))
  for (const id of ids) tell(await client.get(id))
  tell(await client.list())
  tell(await client.control('GET', '/ledger'))
  return told
}

it('two worlds of one emulator give the same ids and texts for the same calls, whatever their names are', async () => {
  expect(await session(one, 'east')).toEqual(await session(one, 'west'))
})

it('a world gives the same ids and texts again after a reset', async () => {
  const before = await session(one, 'again')
  await worldOfA(one, 'again').control('POST', '/reset')
  expect(await session(one, 'again')).toEqual(before)
})

it('another seed gives other ids and texts', async () => {
  const [mine, theirs] = [await session(one, 'seeds'), await session(other, 'seeds')]
  expect(theirs[0]).not.toEqual(mine[0])
  const idsOf = (told: string[]) => told.join().match(/cgt-[\w-]+/g) ?? []
  const shared = new Set(idsOf(mine))
  expect(idsOf(theirs).filter(id => shared.has(id))).toEqual([])
})

it('reads and refused requests draw no random numbers: later results are the same without them', async () => {
  const [plain, busy] = [worldOfA(one, 'plain'), worldOfA(one, 'busy')]
  const wanted = [await plain.made(), await plain.made()]
  const first = await busy.made()
  for (let i = 0; i < 5; i++) {
    await busy.get(first)
    await busy.list()
    await busy.create(textBody({ resolution: '4k' }))
  }
  expect([first, await busy.made()]).toEqual(wanted)
})
