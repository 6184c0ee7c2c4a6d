import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { errorCodes } from '../../build/guide/error-codes.ts'
import { guideTables, withTables } from '../../build/guide/guide-tables.ts'
import { faults } from '../../src/emulator/faults/fault.ts'
import { shippedNames } from '../../src/emulator/scenarios/known-scenarios.ts'
import { mediaFaultKinds } from '../../src/emulator/worlds/task.ts'
import { billWords, endWords, levelOf, verdicts } from '../../src/explore/judge/verdicts.ts'
import { failureIds } from '../../src/explore/plan/catalogue.ts'
import { root } from '../support/fresh-build.ts'
import { openGateway } from '../support/gateway.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const page = read('docs/words.md')
const gateway = await openGateway()

describe('the tables that follow from the code are current (`npm run guide` writes them)', () => {
  it.each(Object.keys(guideTables))('%s', path => {
    expect(withTables(path, read(path))).toBe(read(path))
  })

  it('error-codes.md', () => {
    expect(read('docs/error-codes.md')).toBe(errorCodes())
  })
})

describe('the page about explore', () => {
  const explore = read('docs/explore.md')

  it('has each verdict, with what it counts as', () => {
    const tables = explore.split('| Verdict | When | Counts as |\n').slice(1)
    const rows = tables.flatMap(text => [
      ...(text.split('\n\n')[0] ?? '').matchAll(/^\| `(\w+)` \| .* \| (.+) \|$/gm),
    ])
    const told = new Set(rows.map(([, verdict, level]) => `${verdict}: ${level}`))
    const all = verdicts.map(one => `${one}: ${levelOf(one).replace('good', '–')}`)
    expect([...told].sort()).toEqual(all.sort())
  })

  it('has each word of both axes', () => {
    const listed = (words: readonly string[]) => `(${words.map(word => `\`${word}\``).join(', ')})`
    for (const words of [endWords, billWords]) expect(explore).toContain(listed(words))
  })
})

describe('the page of words', () => {
  it('has every value of every tag', () => {
    for (const fault of faults) expect(page).toContain(`| \`[[refuse:${fault}]]\` |`)
    for (const kind of mediaFaultKinds) expect(page).toContain(`| \`[[media:${kind}]]\` |`)
    for (const name of [
      'fail',
      'queue',
      'run',
      'gone',
      'never',
      'expire',
      'cancel',
      'reset',
      'proxy_page',
      'link',
    ])
      expect(page).toMatch(new RegExp(`^\\| \`\\[\\[${name}[:\\]]`, 'm'))
  })

  it('has every shipped scenario', () => {
    for (const name of shippedNames) expect(read('docs/script-a-failure.md')).toContain(`| [\`${name}\`](`)
  })

  const rules = [...page.matchAll(/^\| `(\w+)` \| .* \| `(\{ when: .*)` \|$/gm)]

  it('has one rule for each failure of the catalogue', () => {
    expect(rules.map(([, id]) => id).sort()).toEqual([...failureIds].sort())
  })

  it.each(rules.map(([, id = '', rule = '']) => [id, rule]))(
    'has a rule for %s that a world accepts',
    async (id, rule) => {
      const made = await gateway.control('POST', '/scenarios', { name: id, rules: [parse(rule)] })
      expect(made.status, made.text).toBe(201)
      expect(made.body.active).toContain(id)
    },
  )
})
