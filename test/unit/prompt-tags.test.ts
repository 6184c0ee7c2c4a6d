import { describe, expect, it } from 'vitest'
import { FaultError, faults } from '../../src/emulator/faults/fault.ts'
import { mergeEffects, takeTags } from '../../src/emulator/scenarios/prompt-tags.ts'
import { noEffects } from '../../src/emulator/scenarios/scenario.ts'
import { thrownBy } from '../support/thrown.ts'

function reasonOf(text: string): string {
  const { fault, detail } = thrownBy(() => takeTags(text), FaultError)
  expect(fault).toBe('invalid_parameter')
  return String(detail.reason)
}

describe('prompt tags', () => {
  it.each([
    ['[[refuse:moderated]]', { refuse: { fault: 'moderated' } }],
    [
      '[[fail:InternalServiceError]]',
      { task: { outcome: 'failed', error: { code: 'InternalServiceError' } } },
    ],
    ['[[queue:30s]]', { task: { queuedMs: 30_000 } }],
    ['[[run:1h30m]]', { task: { runningMs: 5_400_000 } }],
    ['[[never]]', { task: { outcome: 'never' } }],
    ['[[expire]]', { task: { outcome: 'expired' } }],
    ['[[cancel]]', { task: { outcome: 'cancelled' } }],
    ['[[media:truncated]]', { media: { kind: 'truncated' } }],
    ['[[media:stall]]', { media: { kind: 'stall', value: 0.5 } }],
    ['[[link:expired]]', { media: { kind: 'link_expired' } }],
    ['[[link:exhausted]]', { media: { kind: 'link_exhausted' } }],
    ['[[ queue : 5s ]]', { task: { queuedMs: 5000 } }],
  ])('%s gives %j', (tag, effects) => {
    expect(takeTags(`a cat ${tag}`)?.effects).toMatchObject(effects)
  })

  it.each(faults)('accept the fault %s', fault => {
    expect(takeTags(`[[refuse:${fault}]]`)?.effects.refuse).toMatchObject({ fault })
  })

  it.each([
    ['a [[never]] cat', 'a cat'],
    ['[[never]] a cat', 'a cat'],
    ['a cat [[never]]', 'a cat'],
    ['a cat[[never]], asleep', 'a cat, asleep'],
    ['a [[never]] [[queue:1s]] cat', 'a cat'],
    ['a cat\n[[never]]\nasleep', 'a cat\nasleep'],
    ['  two  blanks [[never]] stay', '  two  blanks stay'],
    ['[[never]]', ''],
  ])('are removed from %j, which leaves %j', (text, left) => expect(takeTags(text)?.text).toBe(left))

  it.each(['a cat', '[[1,2],[3,4]]', 'an open [[bracket', ''])('are not found in %j', text => {
    expect(takeTags(text)).toBeUndefined()
  })

  it.each([
    ['[[refuse:moderatd]]', '[[refuse:moderated]]'],
    ['[[refus:moderated]]', '[[refuse:…]]'],
    ['[[media:truncate]]', '[[media:truncated]]'],
    ['[[nevr]]', '[[never]]'],
    ['[[never:1]]', '[[never]]'],
    ['[[queue:soon]]', 'a duration such as 30s'],
    ['[[fail]]', 'an error code'],
    ['[[__proto__]]', 'is not a known tag, allowed are [['],
  ])('that are unknown, such as %s, are refused with %s', (tag, near) =>
    expect(reasonOf(`a cat ${tag}`)).toContain(near),
  )

  it('that appear twice are refused', () =>
    expect(reasonOf('[[queue:1s]] [[queue:2s]]')).toContain('[[queue]] appears twice'))

  // An implementation that compares each blank with each other one would not end within the test's time.
  it('are searched in one pass in a long text of blanks', () => {
    expect(takeTags(`${' '.repeat(1_000_000)}[[never]]${' '.repeat(1_000_000)}x`)?.text).toBe('x')
  })
})

describe('merged effects', () => {
  it('keep the fields of both sides; a field of both has the value of the first', () => {
    const tags = { task: { outcome: 'succeeded' as const }, rule: 'prompt/x' }
    const scenario = {
      task: { queuedMs: 5, outcome: 'failed' as const, error: { code: 'X' } },
      clock: { advanceMs: 3 },
      rule: 's/1',
    }
    expect(mergeEffects(tags, scenario)).toEqual({
      task: { queuedMs: 5, outcome: 'succeeded' },
      clock: { advanceMs: 3 },
      rule: 'prompt/x,s/1',
    })
  })

  it('are equal to one side when the other is empty', () => {
    const effects = { clock: { advanceMs: 3 } }
    expect(mergeEffects(noEffects, effects)).toBe(effects)
    expect(mergeEffects(effects, noEffects)).toBe(effects)
  })
})
