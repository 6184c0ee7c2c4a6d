import type { Recipe } from './recipe.ts'

/** Renders files before a client requests them, one at a time, when the server has no other work. */
export interface Ahead {
  /** Adds a recipe; when too many wait, the oldest is dropped. */
  add(recipe: () => Recipe): void
  stop(): void
}

const mostWaiting = 64
/** Rendering ahead starts after this time without creates, so that it does not slow down a burst of creates. Wall ms. */
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
    // A failed rendering is reported to the request for the file.
    render(next()).then(proceed, proceed)
  }
  const schedule = () => {
    if (waiting.length === 0 || isRendering || isStopped) return
    // Restarting a timer costs less than making a new one, and a burst of creates does it thousands of times.
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
