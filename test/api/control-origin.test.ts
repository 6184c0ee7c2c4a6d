import { expect, it } from 'vitest'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway()
const from = (origin: string, method = 'GET') =>
  fetch(`${gateway.url}/__emulator/health`, { method, headers: { Origin: origin } })

it('a page on another port of this machine may use the control API and read its answers', async () => {
  const reply = await from('http://localhost:5173')
  expect(reply.status).toBe(200)
  expect(reply.headers.get('access-control-allow-origin')).toBe('http://localhost:5173')
})

it('answers the preflight of such a page', async () => {
  const reply = await from('http://127.0.0.1:3000', 'OPTIONS')
  expect(reply.status).toBe(204)
  expect(reply.headers.get('access-control-allow-methods')).toContain('PATCH')
})

it.each(['https://example.com', 'null', 'http://localhost.example.com'])(
  'refuses a page of the origin %s, without CORS headers',
  async origin => {
    const reply = await from(origin)
    expect(reply.status).toBe(403)
    expect(reply.headers.get('access-control-allow-origin')).toBeNull()
  },
)
