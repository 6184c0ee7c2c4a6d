import { type FfmpegRun, runFfmpeg } from './ffmpeg.ts'

/**
 * Runs ffmpeg, and can start it before its input is known. Starting ffmpeg and opening its codec takes a third of the time of a
 * small video. At most one ffmpeg waits.
 */
export interface FfmpegAhead {
  /** Like runFfmpeg, and with the ffmpeg that waits when it has the same options. The input must allow a second reading. */
  run: typeof runFfmpeg
  /** Starts ffmpeg with the options of the last run, unless one waits. It ends when this process ends, because its input closes. */
  startNext(): void
  /** Ends the ffmpeg that waits. */
  end(): void
}

/**
 * The largest pictures for which ffmpeg is started ahead, in bytes of the head. Larger videos take so long that the start matters
 * little, and each start delays the replies of the server while every core renders: with 4k videos, the slowest of a hundred polls
 * took 10 ms instead of 7.
 */
const largestHead = 450_000

/** Nothing is started before the first run. */
export function createFfmpegAhead(): FfmpegAhead {
  let last: FfmpegRun | undefined
  let waiting: Waiting | undefined

  const take = (run: FfmpegRun): Waiting | undefined => {
    const taken = waiting
    waiting = undefined
    if (taken?.options === optionsOf(run)) return taken
    taken?.end()
    return undefined
  }

  return {
    async run(run) {
      last = (run.head?.length ?? 0) > largestHead ? undefined : { ...run, input: [], signal: undefined }
      const started = take(run)
      try {
        if (started) return await started.code(run)
      } catch {
        // It ended while it waited, for example because memory ran out. An error of the run itself comes again.
      }
      return await runFfmpeg(run)
    },
    startNext() {
      if (last && !waiting) waiting = startWaiting(last)
    },
    end() {
      waiting?.end()
      waiting = undefined
    },
  }
}

interface Waiting {
  options: string
  /** Gives it its input, and resolves with its output. */
  code(run: FfmpegRun): Promise<Buffer>
  end(): void
}

function startWaiting(run: FfmpegRun): Waiting {
  const stop = new AbortController()
  let give: (input: FfmpegRun['input']) => void = () => undefined
  const given = new Promise<FfmpegRun['input']>(resolve => {
    give = resolve
  })
  const output = runFfmpeg({ ...run, input: inputOf(given), signal: stop.signal })
  // When it ends while it waits, this is reported to the run that takes it.
  output.catch(() => undefined)
  return {
    options: optionsOf(run),
    async code({ input, signal }) {
      signal?.throwIfAborted()
      signal?.addEventListener('abort', () => stop.abort(signal.reason), { once: true })
      give(input)
      return await output
    },
    end: () => stop.abort(),
  }
}

async function* inputOf(given: Promise<FfmpegRun['input']>): AsyncGenerator<Uint8Array> {
  yield* await given
}

/** What must be equal for an ffmpeg to be used for another run. */
function optionsOf({ ffmpeg, head, inputOptions, outputOptions }: FfmpegRun): string {
  return JSON.stringify([ffmpeg, head?.length, inputOptions, outputOptions])
}
