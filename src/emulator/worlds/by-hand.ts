import type { World } from './world.ts'

/** Who calls the control API: a person or a test, an explored program in virtual time, or explore itself. */
export type Actor = 'hand' | 'program' | 'explore'

/** The header in which a caller other than `hand` names itself. */
export const actorHeader = 'x-emulator-by'

/** A call of the control API that changed a world. It is not part of the world's state. */
export interface ByHand {
  by: Actor
  /** Method and path template, such as `POST /clock/advance`. */
  call: string
  params: Readonly<Record<string, string>>
  body: unknown
  /** Virtual moments before and after it, epoch ms. */
  from: number
  at: number
  /** On this process's monotonic clock. */
  ms: number
  /** The number of the last journal entry before it. */
  after: number
}

const mostKept = 1000

/** By world and generation: after a reset, nothing has happened. */
const known = new WeakMap<World, { generation: number; list: ByHand[] }>()

/** The calls since the world was opened, reset or restored, oldest first; the newest thousand. */
export function byHandIn(world: World): readonly ByHand[] {
  const kept = known.get(world)
  return kept?.generation === world.generation ? kept.list : []
}

/** Keeps a call. Moves of the clock by one actor, without a request between them, are one. */
export function noteByHand(world: World, call: ByHand): void {
  const list = [...byHandIn(world)]
  const last = list.at(-1)
  if (last && isMove(call) && isMove(last) && last.after === call.after && last.by === call.by)
    list[list.length - 1] = { ...call, from: last.from }
  else list.push(call)
  known.set(world, { generation: world.generation, list: list.slice(-mostKept) })
}

/** Whether a call moved the clock on. */
export function isMove({ call }: Pick<ByHand, 'call'>): boolean {
  return call === 'POST /clock/advance'
}
