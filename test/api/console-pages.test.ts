import { expect, it } from 'vitest'
import { openGateway } from '../support/gateway.ts'

const errors: string[] = []
const gateway = await openGateway({ logger: { info() {}, error: (_, message) => errors.push(message) } })

it.each(['/__emulator/', '/__emulator/guide'])(
  '%s is served, and the log has no error (bug: each sent page was logged as an error)',
  async path => {
    const reply = await fetch(gateway.url + path)
    await reply.text()
    // A second exchange on the connection: the log entry of the first is written by then.
    await gateway.control('GET', '/health')
    expect(reply.headers.get('content-type')).toMatch(/^text\//)
    expect(errors).toEqual([])
  },
)
