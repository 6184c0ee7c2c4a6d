import type { ReportData } from './report.ts'

/** What a reader should know beside the cases, as sentences without their end. */
export function notesOf({
  differs,
  may_have_left: runs = [],
}: Pick<ReportData, 'differs' | 'may_have_left'>): string[] {
  const left = `a process of ${runs.join(', ')} may still run: it holds the program's output open, and explore cannot find it`
  return [...(differs === undefined ? [] : [differs]), ...(runs.length > 0 ? [left] : [])]
}
