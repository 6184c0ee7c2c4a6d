import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Content, Mode } from '../../src/emulator/families/c-generation/content.ts'
import { enhance, openFaker, tokensIn } from '../../src/emulator/families/c-generation/enhance.ts'
import { randomFor } from '../../src/emulator/worlds/random.ts'

const faker = await openFaker()
const about = (prompt: string, mode: Mode = 'text'): Content => ({ mode, prompt, media: [] })
const write = (prompt: string, { seconds = 5, seed = 1, mode = 'text' as Mode } = {}) =>
  enhance(
    { content: about(prompt, mode), seconds, ratio: '16:9' },
    { random: randomFor(seed, 'task', 0), faker },
  )

describe('an enhanced prompt (C-enhanced)', () => {
  it('has the three labelled sections, in order', () => {
    expect(
      write('A cat.')
        .split('\n\n')
        .map(section => section.split(': ')[0]),
    ).toEqual(['integrated_multimodal_description', 'overall_soundscape', 'non_diegetic_music'])
  })

  it('has two to five shots, each of a second at least', () => {
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 15 }), fc.nat(), (seconds, seed) => {
        const text = write('A cat walks. It jumps.', { seconds, seed })
        const shots = [...text.matchAll(/\[Shot (\d)\](?: At (\d\d):(\d\d\.\d{3}),)?/g)]
        expect(shots.map(([, number]) => Number(number))).toEqual(shots.map((_, index) => index + 1))
        expect(shots.length).toBeGreaterThanOrEqual(2)
        expect(shots.length).toBeLessThanOrEqual(5)
        const starts = shots.map(([, , minutes = '0', rest = '0']) => Number(minutes) * 60 + Number(rest))
        expect(starts[0]).toBe(0)
        for (const [index, start] of starts.entries())
          expect((starts[index + 1] ?? seconds) - start).toBeGreaterThanOrEqual(0.99)
      }),
    )
  })

  it('keeps every sentence of the prompt, in order', () => {
    const sentences = [
      'Rain falls!',
      'A taxi stops?',
      'The door opens.',
      '她走下车。',
      '雨停了。',
      'Six.',
      'Seven.',
    ]
    const text = write(sentences.join(' '), { seconds: 15 })
    const places = sentences.map(sentence => text.indexOf(sentence))
    expect(places).not.toContain(-1)
    expect([...places].sort((a, b) => a - b)).toEqual(places)
  })

  it('ends the last sentence with the full stop of its script', () => {
    expect(write('A cat')).toContain('A cat. ')
    expect(write('一只猫')).toContain('一只猫。 ')
  })

  it('mentions given frames and references', () => {
    expect(write('A cat.', { mode: 'first_last_frame' })).toMatch(/first frame.*last frame/)
    expect(write('A cat.', { mode: 'reference' })).toContain('reference material')
  })
})

describe('tokens (C-usage)', () => {
  it.each([
    ['', 0],
    ['abcd', 1],
    ['abcde', 2],
    ['猫在墙上', 4],
  ])('of %j are %d', (text, tokens) => {
    expect(tokensIn(text)).toBe(tokens)
  })
})
