const wide = '\\u2E80-\\u9FFF\\uF900-\\uFAFF\\uFF00-\\uFFEF\\u{20000}-\\u{3FFFF}'
const notFirst = '、。，．！？：；）」』】》〉”’％ーぁぃぅぇぉっゃゅょァィゥェォッャュョ'
const unit = new RegExp(`[${wide}][${notFirst}]*|[^\\s${wide}]+[${notFirst}]*\\s*|\\s+`, 'gu')

/** Scripts that write words without spaces between them. */
const unspaced = /[\p{Script=Thai}]/u

/** The pieces of a text between which a line may break: words, and each character of Chinese and kana. Joined, they give the text. */
export function breakable(text: string): string[] {
  return (text.match(unit) ?? []).flatMap(piece => (unspaced.test(piece) ? thaiWords(piece) : [piece]))
}

/** The characters of a text as a reader counts them: a letter with its accents, a syllable, a composed emoji. */
export function graphemes(text: string): string[] {
  return segments(text, 'grapheme')
}

/** Spaces stay at the end of the word before them. */
function thaiWords(text: string): string[] {
  return segments(text, 'word').reduce<string[]>((words, word) => {
    if (words.length > 0 && /^[\s\p{P}\p{M}]/u.test(word)) words[words.length - 1] += word
    else words.push(word)
    return words
  }, [])
}

function segments(text: string, granularity: 'grapheme' | 'word'): string[] {
  return [...new Intl.Segmenter('th', { granularity }).segment(text)].map(({ segment }) => segment)
}
