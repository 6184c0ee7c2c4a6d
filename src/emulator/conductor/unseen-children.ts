import { graceMs, restMs } from './limits.ts'
import type { Hello } from './member.ts'
import type { Wall } from './port.ts'

/**
 * Children of processes whose system does not show what they do, such as macOS, Windows, and another machine. One that was announced is
 * coming until it says hello, or its parent has none any more, or a while has passed: then it is free, and may go on within a grace after
 * anybody else did something. Within one, too, a parent hears of the end of a child that was tied.
 */
export function unseenChildren({ nowMs }: Wall) {
  let births: { parent: Hello; bornMs: number }[] = []
  /** When one that was tied has left, wall ms. */
  let leftAtMs = Number.NEGATIVE_INFINITY
  const isComing = ({ bornMs }: { bornMs: number }) => nowMs() - bornMs < restMs
  return {
    expect: (parent: Hello) => void births.push({ parent, bornMs: nowMs() }),
    /** One of them has said hello. */
    join: () => void births.shift(),
    leave() {
      leftAtMs = nowMs()
    },
    /** A process has no child any more. */
    end(parent: Hello) {
      births = births.filter(one => one.parent !== parent)
    },
    isAnyComing: () => births.some(isComing),
    /** How much of the grace is left when nobody else has done anything for so long, wall ms. */
    graceMs(quietMs: number) {
      const restedMs = births.length > 0 ? quietMs : nowMs() - leftAtMs
      return Math.max(0, Math.ceil(graceMs - restedMs))
    },
    count: () => births.filter(one => !isComing(one)).length,
  }
}
