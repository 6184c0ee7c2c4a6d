import { framesIn, type Reader } from './error.ts'

/** What Perl and its decoders of JSON say about the program's own data; all else is what somebody said with `die` or `croak`. */
const ofData =
  /^(?:Can't (?:use|call|coerce|locate|modify)\b|Not an? (?:\w+ )?reference|Illegal (?:division|modulus)|Undefined subroutine|Modification of|Wide character|malformed JSON|Malformed JSON|hash- or arrayref expected|(?:Execution of \S+|BEGIN failed--compilation) aborted)|\bat character offset \d+ \(before /i

/** Below the line with which a program of Perl dies stands only the stack of `confess`. */
const last =
  /(?:^|\n)(?<line>(?<message>.+) at (?<file>\S.*?) line \d+(?:, <\w*> (?:line|chunk) \d+)?\.)(?<stack>(?:\n\t.* called at .* line \d+)*)\s*$/

const frame = /^.* at (?<file>\S.*?) line (?<line>\d+)/gm

/**
 * The error that ended a program of Perl: the last that it wrote has the place where it died. A program that dies with a line of its own
 * words ends it with a line break, and Perl adds no place. `warn` writes the same, but what comes after it ends with its own code: 1 mostly,
 * which `die` never takes but for an operation that is not permitted.
 */
export const perl: Reader = ({ text, code }) => {
  const { line = '', message = '', stack = '' } = (code === 1 ? undefined : last.exec(text)?.groups) ?? {}
  if (line === '') return undefined
  return { name: 'die', line, isOfData: ofData.test(message), frames: framesIn(line + stack, frame) }
}
