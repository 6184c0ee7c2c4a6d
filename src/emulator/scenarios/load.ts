// biome-ignore-all lint/suspicious/noThenProperty: a word of the scenario language and of JSON Schema, never awaited.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Document, LineCounter } from 'yaml'
import { yamlFault } from '../wording/shown.ts'
import { isTooDeepYaml, mostJsonValues } from '../worlds/json-depth.ts'
import { namePattern } from '../worlds/record-values.ts'
import { checkShape, checkSize, tooManyValues } from './check.ts'
import { compile } from './compile.ts'
import { whenSchema } from './conditions/index.ts'
import { thenSchema } from './effects/index.ts'
import type { ScenarioDocument } from './scenario.ts'
import { ScenarioError, type Steps } from './scenario-error.ts'

/** The JSON Schema (draft 2020-12) of a scenario document; `scenarios/scenario.schema.json` is the copy for editors. */
export const scenarioSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Scenario of the Generation Gateway emulator',
  type: 'object',
  additionalProperties: false,
  required: ['name', 'rules'],
  properties: {
    $schema: { type: 'string', description: 'For editors; ignored.' },
    $text: {
      type: 'string',
      maxLength: 500_000,
      description: 'The document as its author wrote it, with comments: kept for editors, otherwise ignored.',
    },
    name: {
      type: 'string',
      pattern: namePattern,
      description: 'a name of letters, digits, - and _, at most 64 characters',
    },
    description: { type: 'string', description: 'A description in one or two sentences.' },
    rules: {
      type: 'array',
      maxItems: 1000,
      description: 'The first rule of each kind of effect that matches a request wins.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['then'],
        properties: {
          when: whenSchema,
          then: thenSchema,
        },
      },
    },
  },
} as const

const require = createRequire(import.meta.url)

/** Reads and checks a scenario file, YAML or JSON. Throws ScenarioError with file, line, path and the nearest valid word. */
export function readScenarioFile(file: string): ScenarioDocument {
  return parseScenario(textOf(file), file)
}

/** The same, and what puts an error in its place in the file. */
export function openScenarioFile(file: string): Located<ScenarioDocument> {
  return openDocument(file, checkScenario)
}

/** Reads a YAML or JSON file, and checks it. Throws ScenarioError with file, line, path and the nearest valid word. */
export function openDocument<T>(file: string, check: (value: unknown) => T): Located<T> {
  return parsed(textOf(file), check, file)
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new ScenarioError(`cannot be read: ${why}`, { steps: [], file })
  }
}

interface Located<T> {
  document: T
  /** Puts an error in its place in the file. */
  located(error: ScenarioError): ScenarioError
}

/** Reads and checks a scenario text, YAML or JSON. Errors contain `file`. Throws ScenarioError. */
export function parseScenario(text: string, file?: string): ScenarioDocument {
  return parsed(text, checkScenario, file).document
}

function parsed<T>(text: string, check: (value: unknown) => T, file?: string): Located<T> {
  if (isTooDeepYaml(text)) throw new ScenarioError('is nested too deeply', { steps: [], file })
  checkWords(text, file)
  const { document, lines } = parseText(text, file)
  const located: Located<T>['located'] = ({ message, steps, hint }) =>
    new ScenarioError(message, { steps, hint, file, line: lineOf(document, steps, lines) })
  try {
    return { document: check(plainValue(document, file)), located }
  } catch (error) {
    throw error instanceof ScenarioError ? located(error) : error
  }
}

/** Reads and checks a scenario of a call: a document, or its text, which is kept for editors. Throws ScenarioError. */
export function readGiven(given: unknown): ScenarioDocument {
  return typeof given === 'string' ? { ...parseScenario(given), $text: given } : checkScenario(given)
}

/** Checks a scenario value from the control API or from code. Throws ScenarioError. */
export function checkScenario(value: unknown): ScenarioDocument {
  checkSize(value)
  const document = checkShape<ScenarioDocument>(scenarioSchema, value)
  compile(document)
  return document
}

/** A shipped scenario. It is only parsed, since a test checks it and the start must be fast. */
export function parseTrusted(text: string): ScenarioDocument {
  return parseText(text).document.toJS()
}

/**
 * Refuses a text that must hold too many values. Its words are counted, which takes a fraction of the time of reading it: each value
 * has one, and one more for its name.
 */
function checkWords(text: string, file: string | undefined): void {
  const { Lexer }: typeof import('yaml') = require('yaml')
  let words = 0
  for (const [sign] of new Lexer().lex(text)) {
    // The lexer marks a word without quotes by U+001F.
    if (sign !== '\u001f' && sign !== '"' && sign !== "'") continue
    if (++words > 2 * mostJsonValues) throw tooManyValues({ steps: [], file })
  }
}

/** JSON is read as YAML, which includes JSON, so that errors have line numbers for both. */
function parseText(text: string, file?: string): { document: Document; lines: LineCounter } {
  const yaml: typeof import('yaml') = require('yaml')
  const lines = new yaml.LineCounter()
  const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const [error] = document.errors
  if (!error) return { document, lines }
  const place = { steps: [], file, line: lines.linePos(error.pos[0]).line }
  throw new ScenarioError(`is not readable as YAML or JSON: ${yamlFault(error)}`, place)
}

/** Fails when aliases would make the document too large. */
function plainValue(document: Document, file: string | undefined): unknown {
  try {
    return document.toJS()
  } catch (cause) {
    throw new ScenarioError(`cannot be used: ${yamlFault(cause)}`, {
      steps: [],
      file,
    })
  }
}

/** The line of the last step that exists in the document. */
function lineOf(document: Document, steps: Steps, lines: LineCounter): number {
  const { isMap, isNode, isScalar, isSeq }: typeof import('yaml') = require('yaml')
  let node: unknown = document.contents
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0
  for (const step of steps) {
    const pair = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
      : undefined
    const item: unknown = isSeq(node) ? node.items[Number(step)] : pair?.value
    const place: unknown = pair ? pair.key : item
    if (!isNode(place)) break
    offset = place.range?.[0] ?? offset
    node = item
  }
  return lines.linePos(offset).line
}
