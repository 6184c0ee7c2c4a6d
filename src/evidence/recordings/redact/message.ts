import { namedBy } from '../../spec/sight.ts'
import { isFieldName } from './contract.ts'
import { isPlainName } from './plain-name.ts'
import { type Pseudonyms, withWords } from './pseudonyms.ts'

/** What rules read in a message, besides the parameter that it names: the cause of a refusal. */
const causes = [
  'PrivacyInformation',
  'real face',
  'SensitiveContent',
  'DataInspection',
  'sensitive',
  'moderation',
  'Arrearage',
  'Overdue',
  'balance',
  'TaskTypeConstraint',
  'group',
  'running',
]
/** The same, read with regard to case. */
const exactCauses = ['invalid task_id', 'Cancelled']

/** `text:42;`, followed by the parameter that a message names and by words for the cause, both of fixed lists. */
export function redactMessage(text: string, names: Pseudonyms): string {
  const named = namedBy({ message: text })
  const lower = text.toLowerCase()
  const found = [
    ...causes.filter(cause => lower.includes(cause.toLowerCase())),
    ...exactCauses.filter(cause => text.includes(cause)),
  ]
  const code = /\((1301)\)/.exec(text)?.[1]
  const fields = (text.match(/[a-z]\w+/gi) ?? []).filter(word => isFieldName(word) && word !== 'message')
  return withWords(names.text(text), [
    ...(named !== undefined && isParameter(named) ? [`\`${named}\``] : []),
    ...found,
    ...(code === undefined ? [] : [code]),
    ...new Set(fields),
  ])
}

/** Whether a text is a path of fields of the contract, such as `content[0].image_url.url`, or a header that it names. */
export function isParameter(text: string): boolean {
  if (/^(?:X-(?:Vendor|DashScope)-Async|Content-Type|Authorization)$/i.test(text)) return true
  const choices = text.split(' or ')
  if (choices.length === 2) return choices.every(isParameter)
  const steps = text.split(/[.[\]]+/).filter(step => step !== '')
  return (
    /^[\w.[\]-]{1,80}$/.test(text) &&
    steps.length > 0 &&
    (isFieldName(text) || steps.every((step, at) => isName(step) || isIndexAfter(step, steps[at - 1])))
  )
}

function isName(step: string): boolean {
  return isFieldName(step) || isPlainName(step)
}

/** A path of numbers alone may be an address or a card. */
function isIndexAfter(step: string, before: string | undefined): boolean {
  return /^\d{1,3}$/.test(step) && before !== undefined && isName(before)
}
