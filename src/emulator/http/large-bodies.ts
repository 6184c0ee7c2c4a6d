import { pause } from '../worlds/wait.ts'

/** The stream that a body is read from. */
export interface Flow {
  pause(): void
  resume(): void
}

/** The memory that one body uses, from its first byte until its request is answered. */
export interface Share {
  /** Counts bytes that have arrived. The stream is paused when the capacity is used up. */
  hold(bytes: number, flow: Flow): void
  /** Reports that the body has arrived completely. */
  complete(): void
  /** Frees the memory. */
  leave(): void
}

/** Limits the memory that all bodies use together. A slow body counts only with the bytes that have arrived. */
export interface BodyMemory {
  enter(): Share
}

export interface BodyLimits {
  /** Bytes that all bodies may hold together. */
  capacity: number
  /** A body up to this size is never paused. Bytes. */
  harmless: number
  /** Resolves when the body that may exceed the capacity has had enough time. */
  patience(): Promise<void>
}

/**
 * A body needs several times its size in memory. With the standard limits ten pictures of 30 MB at once stay well below 1 GB, and
 * bodies below 4 MB never wait.
 */
const standardLimits: BodyLimits = {
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
 * Limits for bodies in memory. When the capacity is used up, one body may still continue, so that it completes and frees its
 * memory. When that body makes no progress, the next one may continue instead.
 */
export function createBodyMemory(limits: BodyLimits = standardLimits): BodyMemory {
  const { capacity, harmless, patience } = limits
  const paused: Holder[] = []
  let total = 0
  let ahead: Holder | undefined

  const continueAlone = (holder: Holder) => {
    ahead = holder
    void watch(holder)
  }
  const watch = async (holder: Holder) => {
    for (let seen = holder.bytes; ; seen = holder.bytes) {
      await patience()
      if (ahead !== holder || holder.isComplete) return
      if (holder.bytes > seen || paused.length === 0) continue
      ahead = undefined
      // Moved behind the others, so that each body gets its turn.
      stop(holder)
      return resumeWaiting()
    }
  }
  const stop = (holder: Holder) => {
    holder.flow?.pause()
    paused.push(holder)
  }
  const resumeWaiting = () => {
    while (paused.length > 0 && (total <= capacity || !ahead)) {
      const next = paused.shift()
      if (!next) return
      if (total > capacity) continueAlone(next)
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
          else continueAlone(holder)
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
          resumeWaiting()
        },
      }
    },
  }
}
