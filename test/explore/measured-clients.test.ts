import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import type { Client } from '../../build/clients/clients.ts'
import { digestOf, type Measured, measure } from '../../build/clients/measure.ts'
import { changesOf, clientTable } from '../../build/clients/table.ts'
import { ownFolder } from '../support/folders.ts'
import { root } from '../support/fresh-build.ts'

const folder = ownFolder('measured')
afterAll(() => vi.unstubAllEnvs())

const client: Client = {
  id: 'plain',
  name: '`plain` {plain}',
  flags: ['--only', 'a.create#1 rate_limited', '--only', 'media.download#1 file_empty'],
  command: ['{node}', 'plain-client.mjs'],
  found: 'it does not wait as Retry-After asks',
  advice: 'wait',
  readFor: '',
}
const measured: Measured = {
  versions: { plain: '1.0.0' },
  runtime: 'Node 20.20.0',
  on: '2026-11-28',
  cases: { 'a.create#1 rate_limited': 'rude', 'a.get#1 outage': 'paid_twice' },
  bill: { lost: { credits: 0, cases: 0 }, twice: { credits: 4.5, cases: 1 } },
}

/** Makes a repository of these files beside each other's, of which any part may be fetched; its commit. */
function repositoryOf(name: string, files: Record<string, string>): string {
  const place = join(folder, name)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(place, path, '..'), { recursive: true })
    writeFileSync(join(place, path), content)
  }
  const git = (...args: string[]) => execFileSync('git', ['-C', place, ...args], { encoding: 'utf8' }).trim()
  const author = ['-c', 'user.name=A', '-c', 'user.email=a@example.com']
  git('init', '--quiet')
  git('config', 'uploadpack.allowFilter', 'true')
  git('config', 'uploadpack.allowAnySHA1InWant', 'true')
  git('add', '.')
  git(...author, 'commit', '--quiet', '--no-verify', '--message', 'one')
  return git('rev-parse', 'HEAD')
}

describe('the table of measured clients (docs/explore.md, "Measured: other clients")', () => {
  it('has the verdict of each case that explore played of a client in its folder', async () => {
    cpSync(join(root, 'docs/examples/explore/plain-client.mjs'), join(folder, 'plain-client.mjs'))
    const { cases, bill, runtime } = await measure(client, folder)
    expect(cases).toEqual({
      'a.create#1 rate_limited': 'rude',
      'media.download#1 file_empty': 'false_success',
    })
    expect(bill).toEqual({ lost: { credits: 0, cases: 0 }, twice: { credits: 0, cases: 0 } })
    expect(runtime).toBe(`Node ${process.versions.node}`)
  })

  it('comes from repositories, each at its commit, and has the version that the first one says', async () => {
    const own = repositoryOf('own', {
      'version.py': '__version__ = "5.0.42"',
      'main.mjs': "import '../repository/src/other.mjs'",
    })
    const other = repositoryOf('other', { 'src/other.mjs': "import '../../plain-client.mjs'" })
    vi.stubEnv('GIT_CONFIG_COUNT', '1')
    vi.stubEnv('GIT_CONFIG_KEY_0', `url.file://${folder}/.insteadOf`)
    vi.stubEnv('GIT_CONFIG_VALUE_0', 'https://github.com/')
    const repositories = [
      { name: 'own', commit: own, paths: ['main.mjs'], manifest: 'version.py' },
      { name: 'other', commit: other, paths: ['src'] },
    ]
    const command = ['{node}', 'repository/main.mjs']
    const { versions, cases } = await measure({ ...client, repositories, command }, folder)
    expect(versions).toEqual({ commit: own.slice(0, 7), version: '5.0.42', other: other.slice(0, 7) })
    expect(Object.keys(cases)).toHaveLength(2)
  })

  it('says which package of Debian is missing', async () => {
    await expect(measure({ ...client, debian: ['no-such-package'] }, folder)).rejects.toThrow(
      'it needs no-such-package: apt-get install no-such-package',
    )
  })

  it('names the versions, the runtime and the day, and says when the verdicts are not those that its texts are about', () => {
    const rowOf = (readFor: string) =>
      clientTable([{ ...client, readFor }], { plain: measured }).split('\n')[2]
    expect(rowOf(digestOf(measured))).toBe(
      '| `plain` 1.0.0, Node 20.20.0, on 2026-11-28 | 2 | paid 4.5 twice in 1 | it does not wait as Retry-After asks | wait |',
    )
    expect(rowOf('other')).toContain('| *Other verdicts than when this was written:* it does not wait')
  })

  it('tells each verdict that is another than that of an earlier version', () => {
    const later = {
      ...measured,
      versions: { plain: '1.1.0' },
      runtime: 'Node 22.23.3',
      cases: { 'a.get#1 outage': 'recovered', 'a.get#1 reset': 'told' },
    }
    expect(changesOf(measured, later)).toEqual([
      'plain 1.0.0 -> 1.1.0',
      'Node 20.20.0 -> Node 22.23.3',
      'a.create#1 rate_limited: rude -> not a case',
      'a.get#1 outage: paid_twice -> recovered',
      'a.get#1 reset: not a case -> told',
    ])
    expect(changesOf(measured, measured)).toEqual([])
  })
})
