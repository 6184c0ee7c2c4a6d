import { freshProgram } from './fresh-build.ts'

/** Once before all tests: processes that tests start run the compiled program, as users do. */
export async function setup(): Promise<void> {
  await freshProgram()
}
