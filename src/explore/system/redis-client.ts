import { connect, type Socket } from 'node:net'

/** What Redis answers: text, a number, nothing, or a list of such. */
export type RedisReply = string | number | null | readonly RedisReply[]

/** A connection to a Redis server. */
export interface RedisClient {
  /** Sends a command. Rejects with what the server refuses, and when the connection is lost. */
  send(...words: readonly string[]): Promise<RedisReply>
  /** From now on the server tells what all its clients send, a line for each command. */
  monitor(heard: (line: string) => void): Promise<void>
  end(): void
}

interface Waiting {
  resolve(reply: RedisReply): void
  reject(error: Error): void
}

/** Connects to a Redis server of this machine. Rejects when nobody listens, or no answer comes within `answerMs` of wall time. */
export async function redisClient(port: number, answerMs: number): Promise<RedisClient> {
  const socket = await connected(port, answerMs)
  const waiting: Waiting[] = []
  let hear: ((line: string) => void) | undefined
  let rest = ''
  const fail = (error: Error) => {
    for (const { reject } of waiting.splice(0)) reject(error)
  }
  socket.on('timeout', () => waiting.length > 0 && socket.destroy(new Error('Redis does not answer')))
  socket.on('error', fail)
  socket.on('close', () => fail(new Error('Redis has closed the connection')))
  socket.on('data', (chunk: Buffer) => {
    rest += chunk.toString('latin1')
    for (;;) {
      const read = readReply(rest)
      if (!read) return
      rest = rest.slice(read.length)
      const one = waiting.shift()
      if (!one) hear?.(String(read.reply))
      else if (read.isError) one.reject(new Error(String(read.reply)))
      else one.resolve(read.reply)
    }
  })
  const send: RedisClient['send'] = (...words) =>
    new Promise((resolve, reject) => {
      if (socket.destroyed) return reject(new Error('Redis has closed the connection'))
      waiting.push({ resolve, reject })
      const parts = words.map(word => `$${Buffer.byteLength(word)}\r\n${word}\r\n`)
      socket.write(`*${words.length}\r\n${parts.join('')}`)
    })
  return {
    send,
    async monitor(heard) {
      hear = heard
      await send('MONITOR')
    },
    end: () => void socket.destroy(),
  }
}

function connected(port: number, answerMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: answerMs, noDelay: true })
    socket.once('error', reject)
    socket.once('connect', () => resolve(socket.off('error', reject)))
  })
}

/** Reads one reply (https://redis.io/docs/latest/develop/reference/protocol-spec/, RESP2). Undefined while it is not whole. */
function readReply(text: string): { reply: RedisReply; length: number; isError?: true } | undefined {
  const end = text.indexOf('\r\n')
  if (end < 0) return undefined
  const [kind, line, length] = [text[0], text.slice(1, end), end + 2]
  const count = Number(line)
  switch (kind) {
    case '-':
      return { reply: line, length, isError: true }
    case ':':
      return { reply: count, length }
    case '$':
      if (count < 0) return { reply: null, length }
      if (text.length < length + count + 2) return undefined
      return { reply: text.slice(length, length + count), length: length + count + 2 }
    case '*': {
      const items: RedisReply[] = []
      let at = length
      for (let item = 0; item < count; item++) {
        const read = readReply(text.slice(at))
        if (!read) return undefined
        items.push(read.reply)
        at += read.length
      }
      return { reply: items, length: at }
    }
    default:
      return { reply: line, length }
  }
}
