import { spawnSync } from 'node:child_process'

/** What the name of a test says that was not tried for want of Redis; empty where it is there. */
export const withoutRedis =
  spawnSync('redis-server', ['--version']).status === 0
    ? ''
    : ' (not tried: no redis-server was found, apt-get install redis-server)'
