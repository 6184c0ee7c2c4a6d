import type { Document } from 'yaml'
import { EmulatorError } from '../../kits/views.ts'
import { pathOf } from '../parts/path.ts'
import { control } from '../store/api.ts'
import { complaint } from '../store/notices.ts'

/** The result of checking a scenario's text. Lines count from 1. */
export type CheckedText =
  | { kind: 'checking' }
  | { kind: 'valid'; name: string; rules: number; document: unknown }
  | { kind: 'wrong'; message: string; hint: string | undefined; line: number | undefined }

/** Reads a text as YAML (JSON is YAML too) and lets the emulator check it; nothing is stored. */
export async function checkText(text: string): Promise<CheckedText> {
  const { parseDocument } = await import('yaml')
  const parsed = parseDocument(text)
  const [fault] = parsed.errors
  if (fault) return wrong(fault.message.split('\n')[0] ?? '', undefined, fault.linePos?.[0].line)
  const document: unknown = parsed.toJS()
  if (typeof document !== 'object' || document === null)
    return wrong('A scenario is a mapping with name and rules', undefined, 1)
  try {
    const { name, rules } = await control<{ name: string; rules: number }>(
      'POST',
      '/scenarios/check',
      document,
    )
    return { kind: 'valid', name, rules, document }
  } catch (error) {
    if (!(error instanceof EmulatorError)) return wrong(complaint(error), undefined, undefined)
    return wrong(error.reason, error.hint, lineOf(text, parsed, error.path))
  }
}

function wrong(message: string, hint: string | undefined, line: number | undefined): CheckedText {
  return { kind: 'wrong', message, hint, line }
}

/** The line of the value at a path such as `rules[0].when.operation`; where it is missing, the line of what should contain it. */
function lineOf(text: string, document: Document, path = ''): number | undefined {
  const steps = pathOf(path)
  for (let length = steps.length; length > 0; length--) {
    const node: unknown = document.getIn(steps.slice(0, length), true)
    const { range } = (node ?? {}) as { range?: [number, number, number] }
    if (range) return text.slice(0, range[0]).split('\n').length
  }
  return undefined
}
