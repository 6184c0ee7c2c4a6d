import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Report } from '../../src/explore/report/report.ts'
import { prettyReport } from '../../src/explore/report/text-reports.ts'
import { ownFolder } from '../support/folders.ts'
import { isAlive, noneIsLeft } from '../support/left-processes.ts'
import { plainLister } from '../support/plain-lister.ts'
import { startForTest } from '../support/start-for-test.ts'

const folder = ownFolder('explore-left')
const emulator = await startForTest({ now: '2026-01-01T00:00:00Z' })

/**
 * Explores a program that starts processes by a shell, and goes on when `count` of them have written their ids. Returns the ids, too, and
 * how many each run started.
 */
async function explored(
  count: number,
  shell: string,
  after = '',
): Promise<{ report: Report; pids: number[]; started: string[] }> {
  const ids = mkdtempSync(join(folder, 'ids-'))
  const wait = `while [ "$(cat "$IDS" 2> /dev/null | wc -l)" -lt ${count} ]; do sleep 0.01; done`
  const start = `import { execSync } from 'node:child_process'
const env = { ...process.env, IDS: ${JSON.stringify(`${ids}/`)} + process.env.GATEWAY_EMULATOR_CASE + '@' + process.pid }
execSync(${JSON.stringify(`${shell}\n${wait}`)}, { stdio: 'inherit', env })
${after}`
  const [program = '', ...args] = plainLister(folder, start)
  const options = { only: ['a.list unavailable'], limit: '4s', clock: 'auto' } as const
  const report = await emulator.explore({ command: [program, ...args] }, options)
  const runs = readdirSync(ids).map(name => ({
    name: name.replace(/@.*/, ''),
    pids: readFileSync(join(ids, name), 'utf8').trim().split('\n').map(Number),
  }))
  const started = runs.map(({ name, pids }) => `${name}: ${pids.length}`)
  return { report, pids: runs.flatMap(({ pids }) => pids), started: [...new Set(started)].sort() }
}

const daemon = 'setsid sh -c \'echo $$ >> "$IDS"; exec sleep 600\''

describe.runIf(process.platform === 'linux')(
  'processes that leave the group of the program (docs/explore.md)',
  () => {
    it('are ended with the run: in a session of their own, forked twice, with and without the output', async () => {
      const { report, pids, started } = await explored(
        3,
        `${daemon} & (${daemon} > /dev/null 2>&1 &) ; (${daemon} &) &`,
      )
      expect(report.cases).toMatchObject([{ id: 'unavailable', verdict: 'crashed' }])
      expect(started).toEqual(['a.list#1 unavailable: 3', 'undisturbed: 3'])
      expect(pids.filter(isAlive)).toEqual([])
      expect(report.may_have_left).toBeUndefined()
    }, 60_000)

    it('are ended at the limit, too', async () => {
      const hang =
        "if (process.env.GATEWAY_EMULATOR_CASE !== 'undisturbed') await new Promise(resolve => setInterval(() => {}, 1000))"
      const { report, pids } = await explored(1, `${daemon} &`, hang)
      expect(report.cases).toMatchObject([{ id: 'unavailable', verdict: 'not_reached' }])
      expect(pids.filter(isAlive)).toEqual([])
    }, 60_000)

    it('are reported when they cannot be found, but hold the output', async () => {
      const { report, pids } = await explored(1, `env -i IDS="$IDS" ${daemon} &`)
      expect(report.may_have_left).toEqual(['undisturbed', 'a.list#1 unavailable'])
      expect(prettyReport(report, { isTerminal: false })).toContain(
        "Note: a process of undisturbed, a.list#1 unavailable may still run: it holds the program's output open",
      )
      expect(pids.filter(isAlive)).toEqual(pids)
      for (const pid of pids) process.kill(pid, 'SIGKILL')
      await noneIsLeft(pids)
    }, 60_000)
  },
)
