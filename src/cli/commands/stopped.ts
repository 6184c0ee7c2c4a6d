/**
 * The signals that end a command in an orderly way. Windows has no SIGTERM from outside: there Ctrl-Break is SIGBREAK, and closing the
 * window is SIGHUP. Elsewhere SIGHUP keeps its meaning, so that `nohup` works.
 */
function stopSignals(platform: NodeJS.Platform): readonly NodeJS.Signals[] {
  return platform === 'win32' ? ['SIGTERM', 'SIGINT', 'SIGBREAK', 'SIGHUP'] : ['SIGTERM', 'SIGINT']
}

/** Whether a signal has ended the command of this process. */
let isStopped = false

/** Whether a signal has ended the command. */
export function wasStopped(): boolean {
  return isStopped
}

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
