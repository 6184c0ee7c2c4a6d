import type { Run } from '../../run/run.ts'
import type { Reader, UncaughtError } from './error.ts'
import { framesOfStack, isOfScriptData, node, suites } from './node.ts'
import { others, shell } from './others.ts'
import { python } from './python.ts'

const readers: readonly Reader[] = [suites, node, python, ...others, shell]

/** Lines that runners of scripts add below the error of the program. */
const ofRunners =
  /^(?:npm (?:ERR!|error|notice|warn)\b.*|make(?:\[\d+\])?: \*\*\* .*|exit status \d+|error Command failed.*|info Visit .*|.*ELIFECYCLE.*|error: script ".*" .*|note: run with `RUST_BACKTRACE.*)$/gm

/**
 * The error that ended a program because nobody caught it; undefined when there was none. The class of the error decides whether it is
 * about the program's own data, never the file that raised it: a library may lie anywhere. For a function, it is what it threw,
 * when that is an error of the language.
 */
export function uncaughtErrorOf({ exit, output, errors }: Run): UncaughtError | undefined {
  if (exit.kind === 'threw') return thrownError(exit, errors)
  if (exit.kind !== 'ended' || exit.code === 0) return undefined
  const { code } = exit
  const texts = [...(errors.trim() === '' ? [] : [errors]), ...(isOnOutput(errors, output) ? [output] : [])]
  return texts
    .map(text => text.replaceAll('\r\n', '\n').replaceAll(ofRunners, ''))
    .flatMap(text => readers.map(read => read({ text, code })))
    .find(found => found !== undefined)
}

/** PHP and suites report errors on standard output. */
function isOnOutput(errors: string, output: string): boolean {
  return (
    errors.trim() === '' ||
    /^(?:E {3}|(?:PHP )?Fatal error: |not ok \d| {2}\d+ fail(?:ing|ed)$)/m.test(output)
  )
}

/** Errors that the engine throws for a mistake in the program. */
const ofTheLanguage = ['TypeError', 'ReferenceError', 'RangeError']

function thrownError(
  { name, message }: { name: string; message: string },
  stack: string,
): UncaughtError | undefined {
  if (!ofTheLanguage.includes(name)) return undefined
  const line = `${name}: ${message}`
  return { name, line, isOfData: isOfScriptData(name, message), frames: framesOfStack(stack) }
}
