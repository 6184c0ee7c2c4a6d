import { mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { freshProgram } from './fresh-build.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder of this run for the answers to jobs of render workers. */
    answers: string
  }
}

/**
 * Runs once before all tests. Processes of tests run the compiled program, as users do. Tests of a running server start none.
 * All projects of a run share the answers of job-answers.ts: the name says the process and when it started.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const answers = join(
    tmpdir(),
    `gateway-emulator-answers-${process.pid}-${Math.round(performance.timeOrigin)}`,
  )
  await mkdir(answers, { recursive: true, mode: 0o700 })
  project.provide('answers', answers)
  // A server that runs from `dist` needs the files of its build until it ends.
  if (process.env.GATEWAY_TEST_URL === undefined) await freshProgram()
  return () => rm(answers, { recursive: true, force: true })
}
