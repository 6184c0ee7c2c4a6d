import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { run as compare } from '../../src/cli/commands/compare.ts'
import { run as config } from '../../src/cli/commands/config.ts'
import { run as requests } from '../../src/cli/commands/requests.ts'
import { run as scenarios } from '../../src/cli/commands/scenarios.ts'
import { run as selfcheck } from '../../src/cli/commands/selfcheck.ts'
import { ownFolder } from '../support/folders.ts'
import { openGateway } from '../support/gateway.ts'
import { serve } from '../support/run.ts'

const page = readFileSync(new URL('../../docs/recordings.md', import.meta.url), 'utf8')
const gateway = await openGateway({ clock: { mode: 'auto', rate: 1 } })
const folder = ownFolder('docs')
const main = new URL('../../dist/main.js', import.meta.url).pathname

const commands = { compare, config, requests, scenarios, selfcheck }
const lines = [...page.matchAll(/```sh\n([\s\S]*?)```/g)]
  .flatMap(([, block = '']) => block.split('\n'))
  .filter(line => line !== '')
  .map(line => line.replace(/^npx --no-install /, ''))

/** The arguments of a line, for files of a folder of the test and an emulator in place of the gateway, which needs no key. */
function argsOf(line: string): string[] {
  return line
    .replace(' --key "$KEY"', '')
    .replace(/"\$GATEWAY"|http:\/\/127\.0\.0\.1:8585/, gateway.url)
    .split(' ')
    .slice(1)
    .map(word => (/\.(har|json)$/.test(word) ? join(folder, word) : word))
}

/** The whole recording is compared once; for the other lines, its beginning will do. */
function shorten(): void {
  const { log } = JSON.parse(readFileSync(join(folder, 'gateway.har'), 'utf8'))
  const brief = { log: { ...log, entries: log.entries.slice(0, 25) } }
  writeFileSync(join(folder, 'brief.har'), JSON.stringify(brief))
}

const isWhole = (line: string) => /selfcheck|from-recording/.test(line)

describe('the page on recordings (docs/recordings.md)', () => {
  it('has commands to run', () => {
    expect(lines.length).toBeGreaterThan(8)
    expect(lines.filter(line => !line.startsWith('gateway-emulator '))).toEqual([])
  })

  it.each(lines)('%s', async line => {
    const [name = '', ...args] = argsOf(isWhole(line) ? line : line.replace('gateway.har', 'brief.har'))
    if (name === 'record') {
      const free = args.map((word, index) => (args[index - 1] === '--port' ? '0' : word))
      const { stop } = await serve(process.execPath, [main, name, ...free, '--log', 'json'])
      return stop()
    }
    const spy = vi.spyOn(process.stdout, 'write').mockImplementation(() => true)
    const code = await commands[name as keyof typeof commands](args).finally(() => spy.mockRestore())
    expect(code).toBe(0)
    if (args.includes('--record')) shorten()
  })

  it('shows the same prices for the jobs of selfcheck as its ledger', async () => {
    const { body } = await gateway.control('GET', '/worlds/selfcheck/ledger')
    const made = new Map<string, { jobs: number; credits: number }>()
    for (const { kind, operation, model, amount } of body.items) {
      if (kind !== 'settled') continue
      const key = `| ${operation} | ${model} |`
      const { jobs, credits } = made.get(key) ?? { jobs: 0, credits: 0 }
      made.set(key, { jobs: jobs + 1, credits: credits + amount })
    }
    expect(made.size).toBeGreaterThan(5)
    const rows = [...made].map(([key, { jobs, credits }]) => `${key} ${jobs} | ${credits.toFixed(2)} |`)
    expect(page.split('\n').filter(line => /^\| (?:[abck]|special|image)\./.test(line))).toEqual(rows)
  })
})
