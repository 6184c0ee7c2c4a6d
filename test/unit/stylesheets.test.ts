import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
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

const declared = (fits: (one: Declaration) => boolean) =>
  declarations.filter(fits).map(({ place, property, value }) => `${place}: ${property}: ${value}`)

function wrong(property: RegExp, allowed: RegExp): string[] {
  expect(declared(one => property.test(one.property))).not.toEqual([])
  return declared(one => property.test(one.property) && !allowed.test(one.value))
}

it('uses only the four sizes of text', () => {
  const names = [...tokens.matchAll(/--(text-\w+): \d+px/g)].map(([, name]) => name)
  expect(names).toEqual(['text-s', 'text-m', 'text-l', 'text-xl'])
  expect(wrong(/^font-size$/, /^var\(--text-(s|m|l|xl)\)$/)).toEqual([])
})

it('uses only the three weights of text', () => {
  expect(wrong(/^font-weight$/, /^var\(--(regular|medium|strong)\)$/)).toEqual([])
})

it('uses the same sizes, weights and families in the shorthand `font`', () => {
  expect(
    wrong(
      /^font$/,
      /^(inherit|(var\(--(medium|strong)\) )?var\(--text-\w+\) \/ [\d.]+ var\(--(sans|mono)\))$/,
    ),
  ).toEqual([])
  expect(wrong(/^font-family$/, /^var\(--(sans|mono)\)$/)).toEqual([])
})

it('uses one inset for text at the left and right edge', () => {
  // A padding with another token of the same width would not become narrower on a phone, as the inset does.
  const wide = /^\S+ var\(--space-[4-6]\)( |$)|^var\(--space-[4-6]\)$/
  const padding = /^padding(-left|-right)?$/
  expect(declared(({ property, value }) => padding.test(property) && wide.test(value))).toEqual([])
})

it('defines each colour in the tokens', () => {
  expect(declared(({ value }) => /#[0-9a-f]{3,8}\b|rgb\(|hsl\(/i.test(value))).toEqual([])
})

/** The tokens that a selector of the tokens' file sets, colours only. */
function coloursOf(selector: string): Map<string, string> {
  const block = tokens.slice(tokens.indexOf(`${selector} {`)).split('}')[0] ?? ''
  return new Map(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', value = '']) => [name, value]),
  )
}

/** Contrast of two colours by WCAG 2, from 1 to 21. */
function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map(at => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map(part => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

it.each([
  ['light', ':root'],
  ['dark', ':root[data-theme="dark"]'],
])('shows switches, boxes and links at 3:1 or better in %s colours', (_, selector) => {
  const colours = coloursOf(selector)
  const pale = ['control', 'accent'].flatMap(drawn =>
    ['surface', 'surface-2', 'ground'].flatMap(ground => {
      const ratio = contrast(colours.get(drawn) ?? '', colours.get(ground) ?? '')
      return ratio >= 3 ? [] : [`${drawn} on ${ground}: ${ratio.toFixed(2)}`]
    }),
  )
  expect(pale).toEqual([])
})

it('has the same colours when dark is chosen in the console and when the system is dark', () => {
  const [chosen, system] = [':root[data-theme="dark"]', ':root:not([data-theme="light"])'].map(coloursOf)
  expect(chosen?.size).toBeGreaterThan(20)
  expect(system).toEqual(chosen)
})
