import { Agent, request } from 'node:http'

/** The clock of the world that the program works in. */
export interface WorldClock {
  /** Virtual epoch ms. */
  now(): Promise<number>
  /** Moves the world's clock; resolves with the time after it. */
  advance(ms: number): Promise<number>
  /** Whether the emulator is making a file that an open request may wait for. */
  isRendering(): Promise<boolean>
}

/** Its connections are not those of the program, whose bytes are counted. */
const agent = new Agent({ keepAlive: true })

/** The clock of a world of the emulator at `url`. It uses `node:http`, whose timers are never replaced. */
export function worldClock(url: string, world: string): WorldClock {
  const control = `${url}/__emulator`
  const clock = `${control}/worlds/${encodeURIComponent(world)}/clock`
  return {
    now: () => numberIn(asked('GET', clock), 'now_ms'),
    advance: ms => numberIn(asked('POST', `${clock}/advance`, { by: ms }), 'now_ms'),
    isRendering: async () => renderingIn(await asked('GET', `${control}/health`)) > 0,
  }
}

/** How many files are being rendered. Older emulators do not say it. */
function renderingIn(text: string): number {
  return (JSON.parse(text) as { rendering?: number }).rendering ?? 0
}

async function numberIn(answer: Promise<string>, name: string): Promise<number> {
  const text = await answer
  const { [name]: value } = JSON.parse(text) as Record<string, unknown>
  if (typeof value !== 'number') throw new Error(`The emulator answered ${text.slice(0, 200)}`)
  return value
}

function asked(method: string, url: string, body?: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { agent, method, headers: { 'Content-Type': 'application/json' } },
      response => {
        let text = ''
        response.on('data', chunk => {
          text += chunk
        })
        response.on('error', reject)
        response.on('end', () => resolve(text))
      },
    )
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
