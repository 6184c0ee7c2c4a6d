import { freshProgram } from './fresh-build.ts'

/** Runs once before all tests: processes of tests run the compiled program, as users do. */
export async function setup(): Promise<void> {
  await freshProgram()
}
