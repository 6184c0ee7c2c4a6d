import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { runCommand } from '../support/emulator-process.ts'

const read = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../docs/${name}`, import.meta.url)), 'utf8')
const page = read('explore.md')

const folder = mkdtempSync(join(tmpdir(), 'explore-docs-'))
afterAll(() => rmSync(folder, { recursive: true }))
/** The same moment and data directory for all commands, so that their file is rendered once. */
const kept = {
  GATEWAY_EMULATOR_DATA: join(folder, 'data'),
  GATEWAY_EMULATOR_NOW: '2026-01-01T00:00:00Z',
}

describe('the page about explore (docs/explore.md)', () => {
  // As the page sets it, from a project that has the package.
  const [, clients = ''] = /^clients=node_modules\/generation-gateway-emulator\/(\S+)$/m.exec(page) ?? []
  const commands = [...page.matchAll(/^npx --no-install gateway-emulator (explore .*\$clients\/.*)$/gm)].map(
    ([, line = '']) => line.replace('$clients', clients),
  )

  it('has a command for each of its clients', () => {
    expect(commands).toHaveLength(6)
  })

  // One case is enough: the complete runs and the measurements are tests of their own, and one of the two of the plain client is played.
  it.each(commands.filter(line => !/^explore (-- node .*plain|--patience|--need)/.test(line)))(
    '%s',
    async line => {
      const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
      const args = words.includes('--only')
        ? words
        : ['explore', '--only', 'a.create#1 reply_lost', ...words.slice(1)]
      const { code, stdout, stderr } = await runCommand(args, kept)
      expect(stdout, stderr).toContain('1 case at')
      expect(code).toBe(line.includes('plain-client') ? 1 : 0)
    },
  )
})
