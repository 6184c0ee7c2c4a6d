import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Client } from '../../build/clients/clients.ts'
import { digestOf, type Measured, measure } from '../../build/clients/measure.ts'
import { changesOf, clientTable } from '../../build/clients/table.ts'
import { root } from '../support/fresh-build.ts'

const folder = mkdtempSync(join(tmpdir(), 'measured-'))
afterAll(() => rmSync(folder, { recursive: true }))

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
      cases: { 'a.get#1 outage': 'recovered', 'a.get#1 reset': 'told' },
    }
    expect(changesOf(measured, later)).toEqual([
      'plain 1.0.0 -> 1.1.0',
      'a.create#1 rate_limited: rude -> not a case',
      'a.get#1 outage: paid_twice -> recovered',
      'a.get#1 reset: not a case -> told',
    ])
    expect(changesOf(measured, measured)).toEqual([])
  })
})
