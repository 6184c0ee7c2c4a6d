import { readFileSync } from 'node:fs'

/** How a person would read a prompt that comes with a reference video. */
type Reading = 'reference' | 'edit' | 'extend'

/**
 * Prompts beside one reference video, by language, with the task that a person reads in each. They were written before the rule that
 * reads them (A-task-type). Every third prompt of a language and a reading is kept aside: the rule was not changed after it was tried on them.
 */
const corpus = readFileSync(new URL('../data/task-type-prompts.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map(line => line.split('\t') as [language: string, reading: Reading, prompt: string])

/** The prompts to write the rule with, or those that are kept aside. */
export function promptsOf(part: 'known' | 'aside'): typeof corpus {
  return corpus.filter(([language, reading], place) => {
    const first = corpus.findIndex(row => row[0] === language && row[1] === reading)
    return ((place - first) % 3 === 2) === (part === 'aside')
  })
}
