import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readOptions } from '../../src/emulator/options/config.ts'
import { UsageError } from '../../src/emulator/options/flags.ts'
import { checkScenario, parseScenario } from '../../src/emulator/scenarios/load.ts'
import { ScenarioError } from '../../src/emulator/scenarios/scenario-error.ts'
import { readAcceptFile } from '../../src/explore/report/accept-file.ts'
import { ownFolder } from '../support/folders.ts'
import { thrownBy } from '../support/thrown.ts'

const folder = ownFolder('deep-files')

const objects = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`
const arrays = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
const indented = Array.from({ length: 5000 }, (_, level) => `${' '.repeat(level)}a:`).join('\n')
const flat = Array.from({ length: 12 }, (_, i) => `a${i}: &a${i} [${Array(10).fill(i ? `*a${i - 1}` : 'x')}]`)
const bomb = flat.join('\n')
/** Each part has 50 levels and holds the part before it. */
const chain = Array.from(
  { length: 4 },
  (_, i) => `a${i}: &a${i} ${'['.repeat(50)}${i ? `*a${i - 1}` : 'x'}${']'.repeat(50)}`,
).join('\n')

const texts: [string, string, RegExp][] = [
  ['thousands of objects', `rules: ${objects}`, /nested (too deeply|deeper)/],
  ['thousands of arrays', `rules: ${arrays}`, /nested (too deeply|deeper)/],
  ['thousands of indented lines', indented, /nested (too deeply|deeper)/],
  ['thousands of lists in a line', `rules: \n  ${'- '.repeat(5000)}x`, /nested (too deeply|deeper)/],
  ['lists in a line, with tabs', `${'-\t'.repeat(1000)}x`, /nested (too deeply|deeper)/],
  ['lists in a line, with spaces and tabs', `${'- \t'.repeat(1000)}x`, /nested (too deeply|deeper)/],
  ['lists in the value of a question', `? a\n: ${'- '.repeat(10_000)}x`, /nested (too deeply|deeper)/],
  ['lists after a tab', `\t${'- '.repeat(10_000)}x`, /nested (too deeply|deeper)/],
  ['aliases that multiply', bomb, /aliases would make it too large/],
]

function fileWith(text: string): string {
  const path = join(folder, 'file.yaml')
  writeFileSync(path, text)
  return path
}

const usage = (act: () => unknown) => thrownBy(act, UsageError).message

describe('a file that would exhaust the stack or the memory is refused with a clear message', () => {
  it.each(texts)('a scenario of %s', (_, text, said) => {
    expect(() => parseScenario(text, 'mine.yaml')).toThrow(ScenarioError)
    expect(() => parseScenario(text, 'mine.yaml')).toThrow(said)
  })

  it('a long scenario is not refused as a deep one', () => {
    const rule = '  - when: { operation: "a.*", call: 2 }\n    then:\n      refuse: { fault: internal }\n'
    const text = `name: long\nrules:\n${rule.repeat(400)}`
    expect(parseScenario(text, 'mine.yaml').rules).toHaveLength(400)
  })

  it('a scenario whose aliases add up to more than 64 levels', () => {
    expect(() => parseScenario(chain, 'mine.yaml')).toThrow('is nested deeper than 64 levels')
  })

  it('a scenario in code whose parts add up to more than 64 levels, in any order of its parts', () => {
    const nest = (value: unknown, levels: number) => {
      for (let level = 0; level < levels; level++) value = [value]
      return value
    }
    const part = nest('x', 60)
    for (const more of [
      { a: part, b: nest(part, 10) },
      { b: nest(part, 10), a: part },
    ])
      expect(() => checkScenario({ name: 'mine', rules: [], ...more })).toThrow(
        'nested deeper than 64 levels',
      )
    expect(() => checkScenario({ name: 'mine', rules: [], a: part, b: nest(part, 3) })).toThrow(
      '"a" is not known',
    )
  })

  it.each(texts)('a config file of %s', (_, text, said) => {
    const path = fileWith(text)
    const message = usage(() => readOptions(['--config', path], {}, {}))
    expect(message).toMatch(said)
    expect(message).toContain(path)
  })

  it.each(texts)('an accept file of %s', (_, text, said) => {
    const path = fileWith(text)
    expect(usage(() => readAcceptFile(path))).toMatch(said)
  })

  it('a file that is not YAML is refused with the place, and without the text of the file', () => {
    const path = fileWith('- { operation: a.create, id: [')
    expect(usage(() => readAcceptFile(path))).toMatch(/at line 1, column \d+$/)
    expect(() => parseScenario('a: [')).toThrow(/end with a \]$/)
  })

  it('a config file whose value is nested shows only its beginning', () => {
    const path = fileWith(`seed: ${'['.repeat(500)}${']'.repeat(500)}`)
    expect(usage(() => readOptions(['--config', path], {}, {})).length).toBeLessThan(300)
  })
})
