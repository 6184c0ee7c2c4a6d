import { counted } from '../judge/counted.ts'
import type { ReportData } from './report.ts'

/** What a reader should know beside the cases, as sentences without their end. */
export function notesOf({
  differs,
  may_have_left: runs = [],
  played_once: once = [],
  explained = [],
  cleaned = [],
  undisturbed_findings: found = [],
  on_the_wall: parts = [],
}: Pick<
  ReportData,
  | 'cleaned'
  | 'undisturbed_findings'
  | 'on_the_wall'
  | 'differs'
  | 'may_have_left'
  | 'played_once'
  | 'explained'
>): string[] {
  const left = `a process of ${runs.join(', ')} may still run: it holds the program's output open, and explore cannot find it`
  return [
    ...cleaned,
    ...found.map(
      text => `also undisturbed, ${text.charAt(0).toLowerCase()}${text.slice(1).replace(/\.$/, '')}`,
    ),
    ...(parts.length > 0
      ? [
          `the time of ${parts.join(', ')} is that of the wall: while the program's own is skipped, nothing expires or comes due there; \`--time real\` plays a case without that`,
        ]
      : []),
    ...(differs === undefined ? [] : [differs]),
    ...(runs.length > 0 ? [left] : []),
    ...(once.length > 0
      ? [`played once, and not twice as other problems, because no time was left: ${once.join(', ')}`]
      : []),
    ...(explained.length > 0
      ? [
          `left out of the report, because one of the two failures alone has the same cause: ${counted(explained.length, 'pair')}`,
        ]
      : []),
  ]
}
