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
  if (process.env.GATEWAY_TEST_URL === undefined) {
    // Programs would colour numbers for it, also in output that tests read.
    delete process.env.FORCE_COLOR
    setCertificatesAside()
    await freshProgram()
  }
  return () => rm(answers, { recursive: true, force: true })
}

/**
 * Where a system names more certificates for Node, each program that tests start would read them: that takes longer than all else
 * at its start. Tests connect to this machine only. The test that installs the package gives them back to npm.
 */
function setCertificatesAside(): void {
  const { NODE_EXTRA_CA_CERTS: certificates } = process.env
  if (certificates === undefined) return
  process.env.TEST_CA_CERTS = certificates
  delete process.env.NODE_EXTRA_CA_CERTS
}
