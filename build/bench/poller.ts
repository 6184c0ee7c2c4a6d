/**
 * Polls a URL in a process of its own, as a client does: one request after the other with a rest between.
 * Started by apart.ts with the URL; each line of its input ends a phase, and it prints the phase's times in ms as JSON.
 */
import { createInterface } from 'node:readline'
import { setTimeout as elapse } from 'node:timers/promises'

const [url = '', authorization = ''] = process.argv.slice(2)
const restMs = 2
let times: number[] = []

createInterface({ input: process.stdin })
  .on('line', () => {
    console.log(JSON.stringify(times))
    times = []
  })
  .on('close', () => process.exit())

while (true) {
  const start = performance.now()
  const reply = await fetch(url, { headers: { Authorization: authorization } })
  await reply.arrayBuffer()
  if (!reply.ok) throw new Error(`a poll answered ${reply.status}`)
  times.push(performance.now() - start)
  await elapse(restMs)
}
