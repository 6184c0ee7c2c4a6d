import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { explore } from '../../src/explore/play/explore.ts'
import { exploreSettings } from '../../src/explore/play/options.ts'
import { commandSubject } from '../../src/explore/run/run-command.ts'
import { findPython } from '../support/python.ts'
import { scriptSubject } from '../support/script-subject.ts'
import { startForTest } from '../support/start-for-test.ts'

const emulator = await startForTest({})

const example = (name: string) =>
  fileURLToPath(new URL(`../../docs/examples/explore/${name}`, import.meta.url))

/** Two seconds is the client's default. A task made after a Retry-After has another file, which is rendered first. */
const environment = { POLL_MS: '5', ANSWER_MS: '2000' }

const node = scriptSubject(example('sturdy-client.mjs'), environment)
const python = commandSubject({
  program: await findPython(),
  // It needs the standard library alone: without its other packages Python starts in a third of the time.
  args: ['-S', example('sturdy_client.py')],
  env: [],
  inherited: { ...process.env, ...environment },
})

/** Each failure at least once: a Python process takes long to start. */
const eachOnce = [
  'a.create',
  'media.download',
  'a.list#1 unavailable',
  'a.get#1 unavailable',
  'a.get#1 reply_cut',
  'a.get#1 no_answer',
  'a.get#1 not_found',
]

describe('explore finds no problem in a client that handles every failure', () => {
  it.each([
    ['Node, with every failure at every call', node, [], 50],
    ['Python, with every failure', python, eachOnce, 30],
  ])('in %s', async (_, subject, only, atLeast) => {
    const settings = exploreSettings({ limit: '30s', only, jobs: 4 }, '2026-01-01T00:00:00Z')
    const { cases, problems } = await explore({ emulator, subject, settings })
    expect(
      problems.map(({ operation, id, verdict, evidence }) => ({ operation, id, verdict, evidence })),
    ).toEqual([])
    expect(cases.filter(({ verdict }) => verdict === 'rude')).toEqual([])
    expect(cases.length).toBeGreaterThan(atLeast)
  })
})
