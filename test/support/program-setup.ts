import { freshProgram } from './fresh-build.ts'

/** Runs once before all tests: processes of tests run the compiled program, as users do. Tests of a running server start none. */
export async function setup(): Promise<void> {
  // A server that runs from `dist` needs the files of its build until it ends.
  if (process.env.GATEWAY_TEST_URL === undefined) await freshProgram()
}
