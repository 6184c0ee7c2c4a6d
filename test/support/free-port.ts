import { isFree } from '../../src/explore/system/ports.ts'

/** Ports below those that systems give to whoever asks for any, and below those that explore gives to services. */
const lowest = 10_000
const highest = 18_000
/** Workers of one test run begin far from each other. */
let next = lowest + ((process.pid * 101) % (highest - lowest))

/** A port of this machine where nothing listens; no test, emulator or connection that takes any free port gets it afterwards. */
export async function freePort(): Promise<number> {
  for (let tries = lowest; tries < highest; tries++) {
    const port = next
    next = port + 1 < highest ? port + 1 : lowest
    if (await isFree(port)) return port
  }
  throw new Error(`no port from ${lowest} to ${highest - 1} is free`)
}
