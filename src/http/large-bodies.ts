import { pause } from '../worlds/wait.ts'

/** What a body is read from. */
export interface Flow {
  pause(): void
  resume(): void
}

/** The room that one body takes, from its first byte until its request is answered. */
export interface Share {
  /** Enters bytes that have come. The flow is paused when there is no room for more. */
  hold(bytes: number, flow: Flow): void
  /** Says that the body has come whole. */
  complete(): void
  /** Gives the room back. */
  leave(): void
}

/** Bounds the memory that bodies take together. A body that comes slowly takes room only for what has come. */
export interface BodyRoom {
  enter(): Share
}

export interface RoomLimits {
  /** Bytes that all bodies may hold together. */
  capacity: number
  /** A body that holds no more than this is never paused. Bytes. */
  harmless: number
  /** Resolves when the body that goes on beyond the capacity has had its time to come further. */
  patience(): Promise<void>
}

/**
 * In memory a body takes several times its size. With the standard limits ten pictures of 30 MB at once stay well below 1 GB, and
 * bodies below 4 MB never wait.
 */
const standardLimits: RoomLimits = {
  capacity: 96 * 1024 * 1024,
  harmless: 4 * 1024 * 1024,
  patience: () => pause(1000),
}

interface Holder {
  bytes: number
  flow: Flow | undefined
  isComplete: boolean
}

/**
 * A room for bodies. When it is full one body goes on all the same, so that there is always one that gets ready and makes room;
 * when that one comes no further, the next takes its place.
 */
export function createBodyRoom(limits: RoomLimits = standardLimits): BodyRoom {
  const { capacity, harmless, patience } = limits
  const paused: Holder[] = []
  let total = 0
  let ahead: Holder | undefined

  const goAhead = (holder: Holder) => {
    ahead = holder
    void watch(holder)
  }
  const watch = async (holder: Holder) => {
    for (let seen = holder.bytes; ; seen = holder.bytes) {
      await patience()
      if (ahead !== holder || holder.isComplete) return
      if (holder.bytes > seen || paused.length === 0) continue
      ahead = undefined
      // Behind the others, so that each gets its turn.
      stop(holder)
      return letOn()
    }
  }
  const stop = (holder: Holder) => {
    holder.flow?.pause()
    paused.push(holder)
  }
  const letOn = () => {
    while (paused.length > 0 && (total <= capacity || !ahead)) {
      const next = paused.shift()
      if (!next) return
      if (total > capacity) goAhead(next)
      next.flow?.resume()
    }
  }

  return {
    enter() {
      const holder: Holder = { bytes: 0, flow: undefined, isComplete: false }
      return {
        hold(bytes, flow) {
          holder.flow = flow
          holder.bytes += bytes
          total += bytes
          if (total <= capacity || holder.bytes <= harmless || ahead === holder) return
          if (ahead) stop(holder)
          else goAhead(holder)
        },
        complete() {
          holder.isComplete = true
        },
        leave() {
          total -= holder.bytes
          holder.bytes = 0
          const at = paused.indexOf(holder)
          if (at >= 0) paused.splice(at, 1)
          if (ahead === holder) ahead = undefined
          letOn()
        },
      }
    },
  }
}
