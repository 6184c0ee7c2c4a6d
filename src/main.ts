#!/usr/bin/env node
import Module, { createRequire } from 'node:module'

/* An old Node must be able to read this file and print which version is needed: no further imports at the top, only old syntax. */

const { engines } = createRequire(import.meta.url)('../package.json')
// The oldest of the versions in the range: `^20.19.0 || …`.
const needed: string = engines.node.replace(/^\D+(\d+\.\d+).*$/, '$1')
const [major = 0, minor = 0] = needed.split('.').map(Number)
const [ownMajor = 0, ownMinor = 0] = process.versions.node.split('.').map(Number)

if (ownMajor < major || (ownMajor === major && ownMinor < minor)) {
  process.stderr.write(
    `gateway-emulator: needs Node ${needed} or newer, and this is Node ${process.versions.node}\n`,
  )
  process.exit(1)
}

// From Node 22.1 on: what was compiled once is kept in the folder for temporary files, and a start takes an eighth less processor time.
const { enableCompileCache } = Module as { enableCompileCache?: () => unknown }
if (enableCompileCache) enableCompileCache()

import('./cli/commands/command-line.ts')
  .then(({ runProgram }) => runProgram(process.argv.slice(2)))
  .then(code => process.exit(code))
