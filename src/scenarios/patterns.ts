import { type Context, createContext, Script } from 'node:vm'
import { ApiError } from '../http/errors.ts'

export const maxPatternLength = 512
const budgetMs = 100

/** A regular expression from a scenario file, case-sensitive, `.` meaning any character; or why it is refused. */
export function readPattern(source: string): RegExp | { refused: string } {
  if (source.length > maxPatternLength) {
    return { refused: `is ${source.length} characters long, at most ${maxPatternLength} are allowed` }
  }
  if (hasNestedRepeats(source)) {
    return { refused: 'repeats a group that itself repeats or branches, which can take for ever to match' }
  }
  try {
    return new RegExp(source, 'su')
  } catch (error) {
    return { refused: error instanceof Error ? error.message : 'is no regular expression' }
  }
}

let context: Context | undefined
let script: Script | undefined

/**
 * Whether a text matches. What the check above lets through may still take polynomial time on a long text,
 * so the engine gets 100 ms of wall time. Throws `internal` when it needs more: a silent "no" would mislead.
 */
export function isMatch(pattern: RegExp, text: string): boolean {
  context ??= createContext({})
  script ??= new Script('pattern.test(text)')
  context.pattern = pattern
  context.text = text
  try {
    return script.runInContext(context, { timeout: budgetMs }) === true
  } catch (cause) {
    if (!isTimeout(cause)) throw cause
    const reason = `the scenario pattern ${pattern} took more than ${budgetMs} ms on a text of ${text.length} characters`
    throw new ApiError('internal', { reason })
  } finally {
    context.text = ''
  }
}

function isTimeout(cause: unknown): boolean {
  // The error comes from the other context, whose `Error` is not ours.
  return (
    typeof cause === 'object' &&
    cause !== null &&
    'code' in cause &&
    cause.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  )
}

/** True for shapes such as `(a+)+`, `(a|b)*`, `(a*){3,}`: the ones whose matching time can explode. */
function hasNestedRepeats(source: string): boolean {
  // Escapes and character classes become one plain letter, so that what is left is structure.
  const shape = source.replace(/\\(?:[pPu]\{[^}]*\}|k<[^>]*>|[\s\S])/g, 'x').replace(/\[[^\]]*\]/g, 'x')
  const open: boolean[] = []
  for (let i = 0; i < shape.length; i++) {
    const sign = shape[i]
    if (sign === '(') open.push(false)
    else if (sign === ')') {
      const isRisky = open.pop() ?? false
      if (isRisky && repeatAt(shape, i + 1)) return true
      if (isRisky) markOuter(open)
    } else if (sign === '|' || repeatAt(shape, i)) markOuter(open)
  }
  return false
}

function markOuter(open: boolean[]): void {
  if (open.length > 0) open[open.length - 1] = true
}

function repeatAt(shape: string, at: number): boolean {
  return /^(?:[*+]|\{\d*,\d*\}|\{\d{2,}\})/.test(shape.slice(at, at + 12))
}
