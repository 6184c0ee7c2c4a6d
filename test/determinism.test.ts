import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { image, text, textBody, worldOfA } from './support/family-a.ts'
import { type Gateway, openGateway } from './support/gateway.ts'
import { sample } from './support/input-samples.ts'
import { doEachJob } from './support/job-answers.ts'

doEachJob()

const [one, two, other] = [
  await openGateway({ seed: 7 }),
  await openGateway({ seed: 7 }),
  await openGateway({ seed: 8 }),
]
const picture = `data:image/jpeg;base64,${sample('landscape.jpg').toString('base64')}`

/** The results of one sequence of calls: every reply and every file. */
async function session(gateway: Gateway, name: string, bytes = true): Promise<string[]> {
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
    { model: 'model_a_25', content: [image(picture)], resolution: '480p', duration: 4 },
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
  for (const id of ids) {
    const reply = await client.get(id)
    tell(reply)
    for (const url of Object.values<string>(bytes ? (reply.body.content ?? {}) : {}))
      told.push(digestOf((await gateway.download(url)).bytes))
  }
  tell(await client.list())
  tell(await client.control('GET', '/ledger'))
  return told
}

function digestOf(bytes: Buffer): string {
  expect(bytes.length).toBeGreaterThan(10_000)
  return createHash('sha256').update(bytes).digest('hex')
}

it('the same seed and calls give the same ids, texts and bytes, in two emulators (interface, section 8)', async () => {
  const [first, second] = [await session(one, 'same'), await session(two, 'same')]
  expect(first.length).toBeGreaterThan(12)
  expect(second).toEqual(first)
})

it('the same holds in two worlds of one emulator, whatever their names are', async () => {
  expect(await session(one, 'east', false)).toEqual(await session(one, 'west', false))
})

it('a world gives the same again after a reset', async () => {
  const before = await session(one, 'again', false)
  await worldOfA(one, 'again').control('POST', '/reset')
  expect(await session(one, 'again', false)).toEqual(before)
})

it('another seed gives other ids, texts and bytes', async () => {
  const [mine, theirs] = [await session(one, 'seeds', false), await session(other, 'seeds', false)]
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
