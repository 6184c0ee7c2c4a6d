/** `spawn` of node:child_process that also starts scripts on Windows; elsewhere it is the same. */
declare module 'cross-spawn' {
  import type { ChildProcess, SpawnOptions } from 'node:child_process'
  // biome-ignore lint/style/noDefaultExport: the library exports nothing else
  export default function spawn(
    command: string,
    args?: readonly string[],
    options?: SpawnOptions,
  ): ChildProcess
}
