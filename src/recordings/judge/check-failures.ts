import { at } from '../../spec/json.ts'
import { recordsIn } from '../read/observed.ts'
import type { Step } from '../read/steps.ts'
import type { Check } from './check.ts'

/** The form of codes of failed tasks. Upstream decides which codes exist; a replay fails with the recorded one. */
const forms: Readonly<Record<string, { path: readonly string[]; form: RegExp; called: string }>> = {
  a: {
    path: ['error', 'code'],
    form: /^(?:[A-Z][A-Za-z0-9]*)(?:\.[A-Z][A-Za-z0-9]*)*$/,
    called: 'words in capitals',
  },
  b: { path: ['code'], form: /^(?:[A-Z][A-Za-z0-9]*)(?:\.[A-Z][A-Za-z0-9]*)*$/, called: 'words in capitals' },
  c: { path: ['error', 'code'], form: /^\d+$/, called: 'digits' },
}

/** Whether the code of a recorded failure has the form of its family's codes. */
export function checkFailures(step: Step): Check[] {
  const home = step.family === 'special' ? 'c' : step.family
  const known = forms[home]
  return recordsIn(step).flatMap(([, record]) => {
    const code = known && at(record, ...known.path)
    if (!known || typeof code !== 'string' || code === '') return []
    const path = step.family === 'b' ? 'output.code' : 'error.code'
    const isAlike = known.form.test(code)
    const check = { step, aspect: 'format' as const, path, recorded: isAlike ? known.called : code }
    return [{ ...check, emulated: known.called, isAlike, ...(home === 'c' && { rule: 'C-errors' }) }]
  })
}
