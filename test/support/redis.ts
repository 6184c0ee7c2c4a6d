import { spawnSync } from 'node:child_process'

/** True where the system has a redis-server. */
export function hasRedis(): boolean {
  return spawnSync('redis-server', ['--version']).status === 0
}
