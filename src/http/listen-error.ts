import type { OwnAddress } from './base-url.ts'

/** The error when a server cannot listen at an address. The message says what to do; the cause is the error of the system. */
export function listenError(cause: unknown, { host, port }: Pick<OwnAddress, 'host' | 'port'>): Error {
  const code = (cause as { code?: unknown } | undefined)?.code
  const advice = typeof code === 'string' && Object.hasOwn(advices, code) ? advices[code] : undefined
  if (advice) return Object.assign(new Error(advice(host, port), { cause }), { code })
  return cause instanceof Error ? cause : new Error(`Cannot listen on ${host}:${port}: ${cause}`)
}

const otherPort = 'choose another with --port N; --port 0 picks a free one'

const advices: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (host, port) => `Port ${port} of ${host} is taken by another program: ${otherPort}`,
  EACCES: (host, port) => `This user may not listen on port ${port} of ${host}: ${otherPort}`,
  EADDRNOTAVAIL: host =>
    `${host} is not an address of this machine: choose another with --host ADDRESS, such as 127.0.0.1 or 0.0.0.0`,
  ENOTFOUND: host =>
    `The host ${host} has no address: choose another with --host ADDRESS, such as 127.0.0.1 or 0.0.0.0`,
}
