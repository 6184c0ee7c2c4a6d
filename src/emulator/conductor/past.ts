/** A moment of the run and the one of the wall at which the run came to it, epoch ms. */
interface Point {
  wallMs: number
  ms: number
}

/** So many are kept; of more, each second one is forgotten. */
const mostPoints = 4096
/** Between two points time stands still, but what happened later shall be seen to be later. */
const orderRate = 1 / 1000

/** Which moment of a run it was at one of the wall: the machine writes the time of the wall on each file that a program changes. */
export class Past {
  #points: Point[]

  constructor(begin: Point) {
    this.#points = [begin]
  }

  /** The run has come to a moment. */
  come(point: Point): void {
    this.#points.push(point)
    if (this.#points.length > mostPoints) this.#points = this.#points.filter((_, index) => index % 2 === 0)
  }

  /** The moment of the run. What was before it keeps its own time. */
  at(wallMs: number): number {
    const next = this.#points.findIndex(point => point.wallMs > wallMs)
    const point = this.#points.at(next < 0 ? -1 : next - 1)
    if (next === 0 || point === undefined) return wallMs
    const latest = this.#points[next]?.ms ?? Number.POSITIVE_INFINITY
    return Math.min(point.ms + (wallMs - point.wallMs) * orderRate, latest)
  }

  /** The line that answers `when wall`. */
  answer(line: string): string {
    const asked = line.split(' ')[1] ?? ''
    return `was ${asked} ${this.at(Number(asked)).toFixed(3)} ${this.#points[0]?.wallMs}\n`
  }
}
