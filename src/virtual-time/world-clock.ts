import { request } from 'node:http'

/** The clock of the world that the program works in. */
export interface WorldClock {
  now(): Promise<number>
  advance(ms: number): Promise<number>
}

/** The clock of a world of the emulator at `url`. It uses `node:http`, whose timers are never replaced. */
export function worldClock(url: string, world: string): WorldClock {
  const base = `${url}/__emulator/worlds/${encodeURIComponent(world)}/clock`
  return {
    now: () => asked('GET', base),
    advance: ms => asked('POST', `${base}/advance`, { by: ms }),
  }
}

function asked(method: string, url: string, body?: object): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { 'Content-Type': 'application/json' } }, response => {
      let text = ''
      response.on('data', chunk => {
        text += chunk
      })
      response.on('error', reject)
      response.on('end', () => {
        const { now_ms } = JSON.parse(text) as { now_ms?: number }
        if (now_ms === undefined) reject(new Error(`The world's clock answered ${text.slice(0, 200)}`))
        else resolve(now_ms)
      })
    })
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
