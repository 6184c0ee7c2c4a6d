import type { Recipe } from './recipe.ts'

const mostWaiting = 64
/** Rendering ahead starts after this time without creates, so that it does not slow down a burst of creates. Wall ms. */
const quietMs = 40

/** Renders files before a client requests them, one at a time, when the server has no other work. */
export function createAhead(render: (recipe: Recipe) => Promise<unknown>) {
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
    /** Adds a recipe; when too many wait, the oldest is dropped. */
    add(recipe: () => Recipe): void {
      waiting.push(recipe)
      if (waiting.length > mostWaiting) waiting.shift()
      schedule()
    },
    stop(): void {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

/** Whether somebody waits for a file. It begins without, for work ahead of requests, and stays once it is there. */
export interface Demand {
  isThere(): boolean
  come(): void
  /** Calls `tell` when somebody waits, at once when that is so already. */
  whenThere(tell: () => void): void
}

export function createDemand(isThere = false): Demand {
  const waiting: (() => void)[] = []
  let isHere = isThere
  return {
    isThere: () => isHere,
    come() {
      isHere = true
      for (const tell of waiting.splice(0)) tell()
    },
    whenThere(tell) {
      if (isHere) tell()
      else waiting.push(tell)
    },
  }
}

/** The demand of a request that waits from the beginning. */
export const demanded = createDemand(true)
