import { nowIn, type World } from '../worlds/world.ts'

/** A world's clock in a reply of the control API. */
export function clockView(world: World) {
  const { mode, rate } = world.state.head.clock
  return { mode, rate, ...moment(nowIn(world)) }
}

/** A moment in both forms: ISO 8601 and epoch milliseconds. */
export function moment(ms: number) {
  return { now: new Date(ms).toISOString(), now_ms: ms }
}
