import { hostname } from 'node:os'
import { realTime } from '../worlds/real-time.ts'
import { hostInUrl, type OwnAddress } from './base-url.ts'
import { neighbourAt, worldsAt } from './neighbour.ts'

type ListeningPlace = Pick<OwnAddress, 'host' | 'port'>

/** The error when a server cannot listen at an address. The message says what to do; the cause is the error of the system. */
export async function listenError(cause: unknown, place: ListeningPlace): Promise<Error> {
  const { host, port } = place
  const code = (cause as { code?: unknown } | undefined)?.code
  const advice = typeof code === 'string' && Object.hasOwn(advices, code) ? advices[code] : undefined
  if (advice) return Object.assign(new Error(await advice(place), { cause }), { code })
  return cause instanceof Error ? cause : new Error(`Cannot listen on ${host}:${port}: ${cause}`)
}

const otherPort = 'choose another with --port N; --port 0 picks a free one'
const otherHost = 'choose another with --host ADDRESS, such as 127.0.0.1 or 0.0.0.0'

const advices: Readonly<Record<string, (place: ListeningPlace) => string | Promise<string>>> = {
  EADDRINUSE: async place => `Port ${place.port} of ${place.host} is taken by ${await holder(place)}`,
  EACCES: ({ host, port }) => `This user may not listen on port ${port} of ${host}: ${otherPort}`,
  EADDRNOTAVAIL: ({ host }) => `${host} is not an address of this machine: ${otherHost}`,
  ENOTFOUND: ({ host }) => `The host ${host} has no address: ${otherHost}`,
}

/** How long a message about a taken port waits for who took it, wall ms. */
const askingMs = 2000
const mostNames = 5

async function holder({ host, port }: ListeningPlace): Promise<string> {
  const place = `${hostInUrl(host)}:${port}`
  const found = await neighbourAt([`http://${place}`, `https://${place}`], askingMs)
  switch (found.kind) {
    case 'silent':
      return `a program that does not answer: ${otherPort}`
    case 'foreign':
      return `a program that does not answer as an emulator does: ${otherPort}`
    case 'other':
      return `a program that does not answer as an emulator does (it answers ${found.said}): ${otherPort}`
    case 'refusing':
      return `an emulator that does not answer by the name ${host}: ${otherPort}`
    case 'emulator': {
      const { version, uptime_ms: upMs, pid, machine } = found.health
      const names = await worldsAt(found.base, askingMs)
      const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : ''
      const facts = [
        `version ${version}`,
        pid !== undefined && `process ${pid}${machine === hostname() ? '' : ` of ${machine}`}`,
        upMs !== undefined && `since ${new Date(realTime.wallNow() - upMs).toISOString().slice(0, 19)}Z`,
        names.length > 0 && `worlds ${names.slice(0, mostNames).join(', ')}${more}`,
      ]
      return `an emulator (${facts.filter(Boolean).join(', ')}): use that one at ${found.base}, end it, or ${otherPort}`
    }
  }
}
