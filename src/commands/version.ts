import { packageVersion } from '../package/files.ts'

/** Prints the version. */
export async function run(): Promise<number> {
  process.stdout.write(`${packageVersion()}\n`)
  return 0
}
