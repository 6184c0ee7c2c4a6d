import type { Recipe } from './recipe.ts'

/** Renders files before they are asked for, one at a time, when nothing else is going on. */
export interface Ahead {
  /** Notes a recipe; the oldest is forgotten when too many wait. */
  add(recipe: () => Recipe): void
  stop(): void
}

const mostWaiting = 64
/** Rendering ahead waits for this much quiet, so that a burst of creates is not slowed by it. Wall ms. */
const quietMs = 40

export function createAhead(render: (recipe: Recipe) => Promise<unknown>): Ahead {
  const waiting: (() => Recipe)[] = []
  let timer: NodeJS.Timeout | undefined
  let isRendering = false
  let isStopped = false

  const renderNext = () => {
    const next = waiting.shift()
    if (!next || isRendering || isStopped) return
    isRendering = true
    const proceed = () => {
      isRendering = false
      schedule()
    }
    // The request that asks for the file reports a failed rendering.
    render(next()).then(proceed, proceed)
  }
  const schedule = () => {
    if (waiting.length === 0 || isRendering || isStopped) return
    // A timer set anew costs less than a new one, and a burst of creates sets it thousands of times.
    if (timer) timer.refresh()
    else timer = setTimeout(renderNext, quietMs).unref()
  }

  return {
    add(recipe) {
      waiting.push(recipe)
      if (waiting.length > mostWaiting) waiting.shift()
      schedule()
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
