import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { root } from './fresh-build.ts'
import { findPython } from './python.ts'

/** True where the system has a redis-server. */
export function hasRedis(): boolean {
  return spawnSync('redis-server', ['--version']).status === 0
}

/** A PATH whose `redis-server` is the stand-in. */
export async function pathWithStandIn(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-redis-'))
  const program = join(root, 'test/support/redis_stand_in.py')
  const script = `#!/bin/sh\nexec '${await findPython()}' -I -S '${program}' "$@"\n`
  writeFileSync(join(folder, 'redis-server'), script, { mode: 0o755 })
  return `${folder}${delimiter}${process.env.PATH}`
}
