import { packageVersion } from '../../emulator/ground.ts'

/** Prints the version. */
export async function run(): Promise<number> {
  process.stdout.write(`${packageVersion()}\n`)
  return 0
}
