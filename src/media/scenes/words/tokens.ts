/** How the words of a script are found: between spaces, with particles attached, anywhere, or by a dictionary. */
export type Script = 'spaced' | 'arabic' | 'hebrew' | 'korean' | 'han' | 'thai'

/** A run of letters of one script, and where it is in the text. In Thai it is one word. */
export interface Token {
  text: string
  script: Script
  start: number
  end: number
}

const han = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー々'
const other = `(?![${han}\\p{Script=Hangul}\\p{Script=Thai}])[\\p{L}\\p{M}]`
const runs = new RegExp(
  `(?<han>[${han}]+)|(?<korean>\\p{Script=Hangul}+)|(?<thai>\\p{Script=Thai}+)|(?:${other})+`,
  'gu',
)

/** Splits a folded text into tokens. */
export function tokensOf(text: string): Token[] {
  return [...text.matchAll(runs)].flatMap(({ 0: run, index, groups }) => {
    if (groups?.thai) return thaiWords(run, index)
    const script = groups?.han ? 'han' : groups?.korean ? 'korean' : letterScript(run)
    return [{ text: run, script, start: index, end: index + run.length }]
  })
}

function letterScript(run: string): Script {
  const code = run.charCodeAt(0)
  if (code >= 0x600 && code <= 0x6ff) return 'arabic'
  return code >= 0x590 && code <= 0x5ff ? 'hebrew' : 'spaced'
}

function thaiWords(run: string, from: number): Token[] {
  const words = [...new Intl.Segmenter('th', { granularity: 'word' }).segment(run)]
  return words.map(({ segment, index }) => {
    const start = from + index
    return { text: segment, script: 'thai', start, end: start + segment.length }
  })
}
