import { causes } from '../../spec/cases.ts'
import { namedBy } from '../../spec/observation.ts'
import type { MediaDescription } from '../describe-media.ts'
import {
  alternatives,
  isContractWord,
  isFieldName,
  isModelName,
  type Schema,
  schemasOfField,
  schemasOfItem,
} from './contract.ts'
import { isLink, redactLink } from './link.ts'
import { redactPrompt } from './prompt.ts'
import { isPlainName, type Pseudonyms, redactName, withWords } from './pseudonyms.ts'

/** What is known while a recording is redacted. */
export interface Redaction {
  names: Pseudonyms
  prompts: 'kept' | 'redacted'
  /** Paths whose values are kept, such as `metadata.note` and `items[].owner`. */
  kept: ReadonlySet<string>
  /** A text that is kept: without its links, files and keys. */
  shown(text: string): string
}

export interface JsonRedaction extends Redaction {
  /** The files in the text, by the string that contains them. */
  media: ReadonlyMap<string, MediaDescription>
}

/** A place in a body or a query: the schemas that name it (none: the contract does not know it), and its path. */
export interface JsonPlace {
  schemas: readonly Schema[]
  /** The name of the field; for an item, that of its array. */
  key: string
  /** Everything inside a kept place has the path of that place. */
  path: string
}

/**
 * A JSON value of which only what the contract knows is kept: words and forms at the places that its schemas name, numbers there,
 * booleans and null. Everything else keeps its JSON type: a text its length, a number nothing, a file its description.
 */
export function redactJson(value: unknown, how: JsonRedaction, place: JsonPlace): unknown {
  if (typeof value === 'string') return how.media.get(value) ?? redactValue(value, how, place)
  const isKept = how.kept.has(place.path)
  if (typeof value === 'number') return isKept || isNumeric(place) ? value : Number.isInteger(value) ? 0 : 0.5
  if (Array.isArray(value)) {
    const item = {
      ...place,
      schemas: schemasOfItem(place.schemas),
      path: isKept ? place.path : `${place.path}[]`,
    }
    return value.map(one => redactJson(one, how, item))
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const path = isKept ? place.path : place.path === '' ? key : `${place.path}.${key}`
      const name = how.kept.has(path)
        ? redactValue(key, how, { schemas: [], key, path })
        : redactName(key, how.names)
      return [name, redactJson(inner, how, { schemas: schemasOfField(place.schemas, key), key, path })]
    }),
  )
}

/** Whether a field of this name has a text that a person or a model wrote. */
export function isPromptName(key: string): boolean {
  return promptName.test(key)
}

function isNumeric({ schemas }: JsonPlace): boolean {
  return alternatives(schemas).some(({ type }) =>
    [type].flat().some(one => one === 'integer' || one === 'number'),
  )
}

/** Names of texts that a person or a model wrote. */
const promptName = /prompts?$|^(?:text|description|name|caption|title|voice_name|lyrics|script)$/i
const messageName = /message$|_msg$/
const idName = /(?:^|_)(?:ids?|uid|by)$|^safety_identifier$|\.task_ids$/
const momentName = /_at$|_time$|^created$|^gmt_create$/
/** By the name of a field: forms of values that the contract does not list one by one. */
const forms: readonly (readonly [name: RegExp, form: RegExp])[] = [
  [momentName, /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:?\d\d)?$/],
  [/^(?:ratio|size)$/, /^\d{1,5}[x:*/]\d{1,5}$/],
  [/^(?:resolution|size)$/, /^\d{1,4}[pP]$|^\d(?:\.5)?[kK]$/],
  [/^duration$/, /^\d{1,6}(?:\.\d{1,6})?$/],
  [/^(?:code|http_code)$/, /^\d{1,5}$/],
]
/** A number in a text, where the contract wants a number. */
const numberForm = /^-?\d{1,6}(?:\.\d{1,3})?$/

export function redactValue(text: string, how: Redaction, place: JsonPlace): string {
  const { names } = how
  const { schemas, key } = place
  if (isLink(text)) return redactLink(text, names)
  if (how.kept.has(place.path)) return how.shown(text)
  if (schemas.length === 0) return names.text(text)
  if (isListed(text, schemas)) return text
  if (isPromptName(key)) return how.prompts === 'kept' ? how.shown(text) : redactPrompt(text, names)
  if (messageName.test(key)) return redactMessage(text, names)
  if (key === 'param') return isParameter(text) ? text : names.text(text)
  if (/(?:^|\.)model$/.test(key)) return isModelName(text) ? text : names.text(text)
  if (idName.test(key)) return names.id(text)
  const isKnown =
    forms.some(([name, form]) => name.test(key) && form.test(text)) ||
    (/^(?:code|type)$/.test(key) && isPlainName(text)) ||
    (isNumeric(place) && numberForm.test(text)) ||
    isContractWord(text)
  return isKnown ? text : names.text(text)
}

function isListed(text: string, schemas: readonly Schema[]): boolean {
  return alternatives(schemas).some(
    ({ enum: listed, const: only }) => only === text || (Array.isArray(listed) && listed.includes(text)),
  )
}

/** The words for the cause of a refusal. A number may be anything, so it is kept in brackets only. */
const causeWords = Object.values(causes)
  .flat()
  .filter(word => !/^\d+$/.test(word))
/** The same, read with regard to case. */
const exactCauses = ['invalid task_id', 'Cancelled']

/** `text:42;`, followed by the parameter that a message names and by words for the cause, both of fixed lists. */
function redactMessage(text: string, names: Pseudonyms): string {
  const named = namedBy({ message: text })
  const lower = text.toLowerCase()
  const found = [
    ...causeWords.filter(cause => lower.includes(cause.toLowerCase())),
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
function isParameter(text: string): boolean {
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
