import { type Context, createContext, Script } from 'node:vm'
import { ApiError } from '../http/errors.ts'

export const maxPatternLength = 512
/** Wall time for one match. */
const budgetMs = 100
/** Wall time that is left for all matches of what is being done; see `withMatchBudget`. */
let leftMs = Number.POSITIVE_INFINITY

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

/** Does something that matches patterns, all of which together get so much wall time: many slow ones must not add up. */
export function withMatchBudget<T>(totalMs: number, run: () => T): T {
  const outer = leftMs
  leftMs = Math.min(outer, totalMs)
  try {
    return run()
  } finally {
    leftMs = outer
  }
}

/**
 * Whether a text matches. What the check above lets through may still take polynomial time on a long text,
 * so the engine gets 100 ms of wall time. Throws `internal` when it needs more: a silent "no" would mislead.
 */
export function isMatch(pattern: RegExp, text: string): boolean {
  return isQuick(pattern.source, text.length) ? pattern.test(text) : isMatchInTime(pattern, text)
}

const longestQuickRun = 1_000_000

/**
 * Whether matching can only take few steps. Without groups and references each repeat can at worst start at every place, so the
 * steps are bounded by a power of the length; watching the time would cost far more than the match itself.
 */
function isQuick(source: string, length: number): boolean {
  if (source.includes('(') || /\\[1-9k]/.test(source)) return false
  const repeats = source.match(/[*+?{]/g)?.length ?? 0
  return (length + 1) ** (repeats + 1) <= longestQuickRun
}

function isMatchInTime(pattern: RegExp, text: string): boolean {
  const allowedMs = Math.min(budgetMs, leftMs)
  const startedMs = performance.now()
  try {
    if (allowedMs < 1) throw tooSlow('the scenario patterns took too much time together')
    return runInTime(pattern, text, Math.ceil(allowedMs))
  } finally {
    leftMs -= performance.now() - startedMs
  }
}

function tooSlow(reason: string): ApiError {
  return new ApiError('internal', { reason })
}

function runInTime(pattern: RegExp, text: string, timeout: number): boolean {
  context ??= createContext({})
  script ??= new Script('pattern.test(text)')
  context.pattern = pattern
  context.text = text
  try {
    return script.runInContext(context, { timeout }) === true
  } catch (cause) {
    if (!isTimeout(cause)) throw cause
    throw tooSlow(
      `the scenario pattern ${pattern} took more than ${timeout} ms on a text of ${text.length} characters`,
    )
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
