import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Report } from '../../src/explore/report.ts'
import { runCommand } from '../support/emulator-process.ts'

const read = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../fixtures/docs/${name}`, import.meta.url)), 'utf8')
const page = read('explore.md')

describe('the page about explore (fixtures/docs/explore.md)', () => {
  // As the page sets it, from a project that has the package.
  const [, clients = ''] = /^clients=node_modules\/generation-gateway-emulator\/(\S+)$/m.exec(page) ?? []
  const commands = [...page.matchAll(/^npx --no-install gateway-emulator (explore .*\$clients\/.*)$/gm)].map(
    ([, line = '']) => line.replace('$clients', clients),
  )

  it.each(commands)(
    '%s',
    async line => {
      const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
      // One case stands for all: the whole runs are tests of their own.
      const args = words.includes('--only')
        ? words
        : ['explore', '--only', 'a.create#1 reply_lost', ...words.slice(1)]
      const { code, stdout, stderr } = await runCommand(args)
      expect(stdout, stderr).toContain('1 cases at')
      expect(code).toBe(line.includes('plain-client') ? 1 : 0)
    },
    60_000,
  )

  it('names commands at all, and each verdict of its table is what comes out', async () => {
    const rows = [...page.matchAll(/^\| it .*? \| `(\S+)#(\d+) (\w+)` \| `(\w+)` \|/gm)]
    expect([commands.length, rows.length]).toEqual([4, 6])
    const only = rows.flatMap(([, operation, nth, id]) => ['--only', `${operation}#${nth} ${id}`])
    const command = ['--', 'node', 'fixtures/examples/explore/plain-client.mjs']
    const { stdout } = await runCommand([
      'explore',
      '--limit',
      '10s',
      '--reporter',
      'json',
      ...only,
      ...command,
    ])
    const { cases } = JSON.parse(stdout) as Report
    for (const [, operation, nth, id, verdict] of rows)
      expect(
        cases.find(row => row.operation === operation && row.nth === Number(nth) && row.id === id)?.verdict,
        id,
      ).toBe(verdict)
  }, 120_000)
})
