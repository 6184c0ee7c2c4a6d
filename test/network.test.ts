import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ownFolder } from './support/folders.ts'
import { root } from './support/fresh-build.ts'
import { plainLister } from './support/plain-lister.ts'
import { run } from './support/run.ts'

const promise = 'No account, no telemetry, no network but what your program asks for.'

/** Writes down where each socket of each Node process connects to, and which names it looks up. */
const watcher = `import net from 'node:net'
import dns from 'node:dns'
import { appendFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
const note = host => appendFileSync(process.env.SEEN_HOSTS, host + '\\n')
const { connect } = net.Socket.prototype
net.Socket.prototype.connect = function (...args) {
  const [{ host = 'localhost', path }] = args.flat()
  if (path === undefined) note(host)
  return connect.apply(this, args)
}
const { lookup } = dns
dns.lookup = (name, ...rest) => (note(name), lookup(name, ...rest))
syncBuiltinESMExports()
`

describe(`"${promise}"`, () => {
  it.each(['README.md', 'SECURITY.md'])('%s says so', page => {
    expect(readFileSync(join(root, page), 'utf8').split('\n')).toContain(promise)
  })

  it.each<[string, (folder: string) => string[]]>([
    ['a tour, which makes a video and downloads it', folder => ['tour', '--out', join(folder, 'video.mp4')]],
    ['exploring a program', folder => ['explore', '--only', 'internal', '--', ...plainLister(folder)]],
    ['the doctor', () => ['doctor']],
  ])('%s reaches this machine only', async (_, argsIn) => {
    const folder = ownFolder('network')
    const [seen, module] = [join(folder, 'seen'), join(folder, 'watch.mjs')]
    writeFileSync(seen, 'none\n')
    writeFileSync(module, watcher)
    const args = argsIn(folder)
    const env = { ...process.env, SEEN_HOSTS: seen, NODE_OPTIONS: `--import ${pathToFileURL(module).href}` }
    await run(process.execPath, [join(root, 'dist/main.js'), ...args], { cwd: folder, env })
    const hosts = new Set(readFileSync(seen, 'utf8').trim().split('\n').slice(1))
    if (args[0] !== 'doctor') expect(hosts.size).toBeGreaterThan(0)
    expect([...hosts].filter(host => !/^(?:localhost|127\.0\.0\.1|::1)$/.test(host))).toEqual([])
  })
})
