import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = new URL('../..', import.meta.url).pathname
const folder = join(root, 'src/console')
const tokens = readFileSync(join(root, 'fixtures/report/tokens.css'), 'utf8')

interface Declaration {
  place: string
  property: string
  value: string
}

/** Every declaration of the console's stylesheets. */
const declarations = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.css'))
  .flatMap(name => {
    const text = readFileSync(join(folder, name), 'utf8').replaceAll(/\/\*.*?\*\//gs, '')
    return [...text.matchAll(/([\w-]+):\s*([^;{}]+);/g)].map(
      ([, property = '', value = '']): Declaration => ({ place: name, property, value: value.trim() }),
    )
  })

function wrong(property: RegExp, allowed: RegExp): string[] {
  const found = declarations.filter(one => property.test(one.property))
  expect(found.length).toBeGreaterThan(0)
  return found
    .filter(({ value }) => !allowed.test(value))
    .map(({ place, property, value }) => `${place}: ${property}: ${value}`)
}

it('takes each size of text from the scale of four (issue: looks)', () => {
  const names = [...tokens.matchAll(/--(text-\w+): \d+px/g)].map(([, name]) => name)
  expect(names).toEqual(['text-s', 'text-m', 'text-l', 'text-xl'])
  expect(wrong(/^font-size$/, /^var\(--text-(s|m|l|xl)\)$/)).toEqual([])
})

it('takes each weight of text from the scale of three (issue: looks)', () => {
  expect(wrong(/^font-weight$/, /^var\(--(regular|medium|strong)\)$/)).toEqual([])
})

it('takes weight, size and family of each short form from the scale too (issue: looks)', () => {
  expect(
    wrong(
      /^font$/,
      /^(inherit|(var\(--(medium|strong)\) )?var\(--text-\w+\) \/ [\d.]+ var\(--(sans|mono)\))$/,
    ),
  ).toEqual([])
  expect(wrong(/^font-family$/, /^var\(--(sans|mono)\)$/)).toEqual([])
})

it('keeps text away from the left and right edge by the one inset (issue: looks)', () => {
  // A padding as wide as the inset that is another token would not become narrower with it on a phone.
  const wide = /^\S+ var\(--space-[4-6]\)( |$)|^var\(--space-[4-6]\)$/
  expect(
    declarations
      .filter(({ property, value }) => /^padding(-left|-right)?$/.test(property) && wide.test(value))
      .map(({ place, value }) => `${place}: ${value}`),
  ).toEqual([])
})

it('names each colour in the tokens (issue: looks)', () => {
  expect(
    declarations
      .filter(({ value }) => /#[0-9a-f]{3,8}\b|rgb\(|hsl\(/i.test(value))
      .map(({ place, property, value }) => `${place}: ${property}: ${value}`),
  ).toEqual([])
})
