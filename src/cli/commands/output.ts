import { setTimeout as elapse } from 'node:timers/promises'

/** How long a command that a signal has ended waits for a reader that does not read, wall ms. */
const readerWaitMs = 300

const outputs = [process.stdout, process.stderr]

/**
 * Runs a command, and resolves with its exit code when everything it wrote has been read, so that the process may end. When a reader
 * leaves early, as `head` does, the rest is not written, and the exit code is still that of the command. It is 1 when the output cannot
 * be written, for example to a full disk.
 */
export async function runUntilRead(command: () => Promise<number>): Promise<number> {
  let fault: Error | undefined
  for (const output of outputs)
    output.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') fault ??= error
    })
  const code = await command()
  await Promise.race([Promise.all(outputs.map(drained)), stopped()])
  if (!fault) return code
  process.stderr.write(`gateway-emulator: the output could not be written: ${fault.message}\n`)
  return 1
}

/** Resolves when all that was written has been read, or when nobody reads it any more. */
function drained(output: NodeJS.WriteStream): Promise<void> {
  return new Promise(resolve => {
    output.write('', () => resolve())
  })
}

/**
 * Resolves soon after a signal has ended the command, or with the next signal. The wait is Node's own: the emulator's would make every
 * command, `--help` too, read the worlds.
 */
function stopped(): Promise<unknown> {
  if (isStopped) return elapse(readerWaitMs, undefined, { ref: false })
  return whenStopped()
}

/** Resolves at the first signal that ends a command. */
export function whenStopped(): Promise<void> {
  return new Promise(resolve => {
    onStop(resolve)
  })
}

/**
 * The signals that end a command in an orderly way. Windows has no SIGTERM from outside: there Ctrl-Break is SIGBREAK, and closing the
 * window is SIGHUP. Elsewhere SIGHUP keeps its meaning, so that `nohup` works.
 */
function stopSignals(platform: NodeJS.Platform): readonly NodeJS.Signals[] {
  return platform === 'win32' ? ['SIGTERM', 'SIGINT', 'SIGBREAK', 'SIGHUP'] : ['SIGTERM', 'SIGINT']
}

/** Whether a signal has ended the command of this process. */
let isStopped = false

/** Calls `stop` at the first signal that ends a command. Returns a function that stops listening. */
export function onStop(stop: () => void, platform = process.platform): () => void {
  const signals = stopSignals(platform)
  const act = () => {
    isStopped = true
    stop()
  }
  for (const signal of signals) process.on(signal, act)
  return () => {
    for (const signal of signals) process.off(signal, act)
  }
}
