import type { RequestListener, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { Outgoing } from '../../src/emulator/scenarios/delivery.ts'
import { type DeliveryFaults, sendFaulty } from '../../src/emulator/scenarios/faults.ts'
import { nothingUnderWay } from '../../src/emulator/worlds/under-way.ts'
import { serverOfTest } from '../support/input-server.ts'

const text = JSON.stringify({ id: 'cgt-1', message: 'x'.repeat(200) })
const reply: Outgoing = json(text)

function json(payload: string): Outgoing {
  return {
    status: 200,
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': payload.length,
      Date: 'Sun, 15 Jun 2025 15:06:40 GMT',
    },
    payload: Buffer.from(payload),
  }
}

function file(bytes: number): Outgoing {
  return {
    status: 206,
    headers: {
      'Content-Type': 'video/mp4',
      'content-length': bytes,
      ETag: '"x"',
      'Content-Range': `bytes 0-${bytes - 1}/${bytes}`,
    },
    payload: Buffer.alloc(bytes, 'v'),
  }
}

function streamed(outgoing: Outgoing): Outgoing {
  const whole = outgoing.payload as Buffer
  const chunks = Array.from({ length: Math.ceil(whole.length / 7) }, (_, i) =>
    whole.subarray(i * 7, i * 7 + 7),
  )
  return { ...outgoing, payload: Readable.from(chunks) }
}

interface Seen {
  head: string
  body: Buffer
  /** How the connection ended, as the client sees it. */
  end: 'closed' | 'reset' | 'left'
  tookMs: number
}

interface Served {
  port: number
  /** Settles when the server has done with the request. */
  done: Promise<void>
}

/** A server that answers the one request it gets. */
async function serve(answer: (response: ServerResponse) => Promise<void>): Promise<Served> {
  let listener: RequestListener = () => undefined
  const done = new Promise<void>((resolve, reject) => {
    listener = (_, response) => void answer(response).then(resolve, reject)
  })
  done.catch(() => undefined)
  const origin = await serverOfTest((request, response) => listener(request, response))
  return { port: Number(new URL(origin).port), done }
}

/** The view of a plain socket client, which disconnects when `enough` returns true. */
function ask(port: number, enough: (received: Buffer) => boolean = () => false): Promise<Seen> {
  const startedMs = performance.now()
  let received = Buffer.alloc(0)
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
      // A hang sends no byte that the test could wait for.
      if (enough(received)) leave()
    })
    const finish = (end: Seen['end']) => {
      const at = received.indexOf('\r\n\r\n')
      const head = at < 0 ? '' : received.subarray(0, at).toString()
      resolve({
        head,
        body: received.subarray(at < 0 ? 0 : at + 4),
        end,
        tookMs: performance.now() - startedMs,
      })
    }
    const leave = () => {
      finish('left')
      socket.end()
      socket.destroySoon()
    }
    socket.on('data', chunk => {
      received = Buffer.concat([received, chunk])
      if (enough(received)) leave()
    })
    socket.on('error', () => finish('reset'))
    socket.on('end', () => finish('closed'))
  })
}

async function see(outgoing: Outgoing, faults: DeliveryFaults): Promise<Seen> {
  const { port, done } = await serve(response => sendFaulty(response, outgoing, faults))
  const seen = await ask(port)
  await done
  return seen
}

describe('a connection fault', () => {
  it('that is not set leaves the reply complete, with its own Date', async () => {
    const seen = await see(reply, {})
    expect(seen).toMatchObject({ end: 'closed', body: Buffer.from(text) })
    expect(seen.head.match(/^Date: .*$/gm)).toEqual(['Date: Sun, 15 Jun 2025 15:06:40 GMT'])
  })

  it('after the headers resets it when the length was sent and no byte came', async () => {
    const seen = await see(reply, { connection: { reset: 'after_headers' } })
    expect(seen.head).toContain(`Content-Length: ${text.length}`)
    expect(seen).toMatchObject({ body: Buffer.alloc(0), end: 'reset' })
  })

  it.each([
    ['buffer', reply],
    ['stream', streamed(reply)],
  ])('in the middle of the body resets it after half of a %s', async (_, outgoing) => {
    const seen = await see(outgoing, { connection: { reset: 'mid_body' } })
    expect(seen.body.toString()).toBe(text.slice(0, Math.floor(text.length / 2)))
    expect(seen.end).toBe('reset')
  })

  it('with latency sends the complete reply late', async () => {
    const seen = await see(reply, { connection: { latencyMs: 60 } })
    expect(seen.tookMs).toBeGreaterThan(55)
    expect(seen.body.toString()).toBe(text)
  })

  it('that waits for a call that never comes waits ten seconds by the clock of the programs', async () => {
    const underWay = nothingUnderWay()
    const waits: number[] = []
    underWay.pace = { now: () => 500, until: async at => void waits.push(at) }
    const orders: string[] = []
    const seen = await see(reply, {
      connection: { after: { operation: 'a.get', call: 2 } },
      underWay,
      ordered: order => orders.push(order),
    })
    expect(seen.body.toString()).toBe(text)
    expect([waits, orders, underWay.ended.size]).toEqual([[10_500], ['not_answered'], 0])
  })

  it('with a speed sends no faster than that', async () => {
    const seen = await see(json('x'.repeat(300)), { connection: { throttleBytesPerSecond: 2000 } })
    expect(seen.tookMs).toBeGreaterThan(140)
    expect(seen.body.length).toBe(300)
  })

  it.each([
    ['buffer', () => reply],
    ['stream', () => streamed(reply)],
  ])('that garbles a %s keeps its length and breaks its JSON the same way each time', async (_, outgoing) => {
    const [first, second] = [
      await see(outgoing(), { connection: { garble: true } }),
      await see(outgoing(), { connection: { garble: true } }),
    ]
    expect(first.body.length).toBe(text.length)
    expect(() => JSON.parse(first.body.toString())).toThrow()
    expect(second.body).toEqual(first.body)
    const broken = first.body.filter((byte, i) => byte !== text.charCodeAt(i))
    expect(broken.length).toBe(Math.ceil(text.length / 13))
  })

  it('that hangs sends nothing, and ends when the client leaves', async () => {
    const { port, done } = await serve(response =>
      sendFaulty(response, reply, { connection: { hang: true } }),
    )
    const seen = await ask(port, () => true)
    await done
    expect(seen).toMatchObject({ head: '', body: Buffer.alloc(0), end: 'left' })
  })

  // The latency is longer than the time limit of the test: code that waited for it would fail.
  it('stops waiting when the client leaves', async () => {
    const { port, done } = await serve(response =>
      sendFaulty(response, reply, { connection: { latencyMs: 30_000 } }),
    )
    await ask(port, () => true)
    await done
  })

  it('does not wait for a client that has already left', async () => {
    const { port, done } = await serve(async response => {
      response.destroy()
      await sendFaulty(response, reply, { connection: { hang: true } })
    })
    expect((await ask(port)).body.length).toBe(0)
    await done
  })
})

describe('a media fault', () => {
  it('empty answers 200 without a byte', async () => {
    const seen = await see(file(1000), { media: { kind: 'empty' } })
    expect(seen.head).toMatch(/^HTTP\/1\.1 200 /)
    expect(seen.head).toContain('Content-Length: 0')
    expect(seen.head).not.toContain('Content-Range')
    expect(seen.body.length).toBe(0)
  })

  it('slow sends the complete file at its speed', async () => {
    const seen = await see(streamed(file(600)), { media: { kind: 'slow', value: 4000 } })
    expect(seen.tookMs).toBeGreaterThan(140)
    expect(seen.body.length).toBe(600)
  })

  it('stall sends its part and then nothing, until the client leaves', async () => {
    const source = streamed(file(1000))
    const { port, done } = await serve(response =>
      sendFaulty(response, source, { media: { kind: 'stall', value: 0.25 } }),
    )
    const seen = await ask(port, received => received.toString().split('\r\n\r\n')[1]?.length === 250)
    await done
    expect(seen).toMatchObject({ end: 'left' })
    expect((source.payload as Readable).destroyed).toBe(true)
  })

  it('acts together with a connection fault', async () => {
    const seen = await see(file(1000), {
      media: { kind: 'wrong_type' },
      connection: { reset: 'after_headers' },
    })
    expect(seen).toMatchObject({ end: 'reset' })
    expect(seen.head).toContain('text/html')
  })
})

describe('a source that cannot be read', () => {
  it('is reported to the caller', async () => {
    const payload = Readable.from(
      (async function* () {
        yield Buffer.from('begin')
        throw new Error('disk gone')
      })(),
    )
    const { port, done } = await serve(response =>
      sendFaulty(response, { ...file(100), payload }, { media: { kind: 'slow', value: 1e6 } }).finally(() =>
        response.destroy(),
      ),
    )
    await ask(port)
    await expect(done).rejects.toThrow('disk gone')
  })
})
