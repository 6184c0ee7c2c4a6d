import { spawn } from 'node:child_process'
import { endGroup, hasGroup, type WorkLimits, watchWork } from './work-watch.ts'

/** For a program that only tells something about itself. */
const limits: WorkLimits = { stillMs: 5000, cpuMs: 20_000, clockMs: 10_000 }

/** What a program wrote. */
export interface Output {
  stdout: string
  stderr: string
}

/**
 * Runs a program that answers at once, without input. It is ended with all that it started when it stands still or will not end,
 * and with this process.
 * @throws the error of starting it, what it wrote to standard error when it fails, and the reason when it is ended
 */
export function runBriefly(path: string, args: readonly string[]): Promise<Output> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: hasGroup })
    const output: Output = { stdout: '', stderr: '' }
    child.stdout?.on('data', chunk => {
      output.stdout += chunk
    })
    child.stderr?.on('data', chunk => {
      output.stderr += chunk
    })
    const end = () => endGroup(child)
    const settle = (finish: () => void) => {
      unwatch()
      process.off('exit', end)
      finish()
    }
    const unwatch = watchWork(child.pid ?? 0, limits, reason => {
      end()
      settle(() => reject(new Error(`it gives no answer: ${reason.message}`)))
    })
    process.once('exit', end)
    child.once('error', error => settle(() => reject(error)))
    child.once('close', (code, signal) =>
      settle(() => {
        if (code === 0) resolve(output)
        else
          reject(
            new Error(output.stderr.trim().split('\n').at(-1) || `it ended with ${signal ?? `code ${code}`}`),
          )
      }),
    )
  })
}
