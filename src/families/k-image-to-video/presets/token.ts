import { createHmac } from 'node:crypto'
import type { World } from '../../../worlds/world.ts'

/**
 * The `task_id` of a preset: "a gateway-signed token that routes back to the resolved channel" (Spec, "Family K: objects" 2). It
 * is base64url JSON of the channel and upstream's task id, a dot, and an HMAC of that with the world's seed. So it is the same in
 * every list, and differs between worlds of different seeds.
 */
export function presetToken(world: World, upstreamId: string): string {
  const payload = Buffer.from(JSON.stringify({ channel: 'k-presets', task: upstreamId })).toString(
    'base64url',
  )
  const { seed } = world.state.head.opening
  const signature = createHmac('sha256', `generation-gateway-emulator/presets/${seed}`)
    .update(payload)
    .digest('base64url')
    .slice(0, 22)
  return `${payload}.${signature}`
}
