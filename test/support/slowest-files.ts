import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { root } from './fresh-build.ts'

const shown = 10

/** Prints the slowest files at the end of a run that has more files than this list. */
export const slowestFiles: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    if (modules.length <= shown) return
    const lines = modules
      .map(module => ({ file: relative(root, module.moduleId), ms: timeOf(module) }))
      .sort((a, b) => b.ms - a.ms)
      .slice(0, shown)
      .map(({ file, ms }) => `${(ms / 1000).toFixed(1).padStart(8)} s  ${file}`)
    console.log(`\nThe ${shown} slowest files:\n${lines.join('\n')}\n`)
  },
}

function timeOf(module: TestModule): number {
  const { collectDuration, duration } = module.diagnostic()
  return collectDuration + duration
}
