import { counted } from '../judge/counted.ts'
import { nameOfRow, type Row } from '../judge/row.ts'
import type { CoveredCase, CoveredFile } from '../run/covered.ts'

/** What of the user's own files ran, over all runs of an exploration. */
export interface Coverage {
  /** How many of the user's own files could be read. */
  files: number
  /** How many runs were made. */
  runs: number
  /** The runs of which a process left nothing, since it was killed or is neither of Node nor of Python. What only they ran is not known. */
  untold: string[]
  /** Of a system: the parts of which no process of Node or Python told anything. */
  silent?: string[]
  /** The handlers that no run is known to have run. */
  unreached: UnreachedHandler[]
  /** The lines that ran in problem cases only. */
  only_in_problems: ProblemLines[]
  /** What could not be read. */
  unread: { file: string; why: string }[]
}

/** A `catch`, `except`, `finally`, or branch on a status, that no run is known to have run. */
export interface UnreachedHandler {
  /** Its file, from the folder in which the program was started. */
  file: string
  /** Its line, from 1. */
  line: number
  /** What it is. */
  kind: 'catch' | 'except' | 'finally' | 'branch'
  /** The line as it is written. */
  text: string
}

/** Lines of one file that ran in the same problem cases, and nowhere else. */
export interface ProblemLines {
  /** Their file, from the folder in which the program was started. */
  file: string
  /** The first of them, from 1. */
  line: number
  /** The last of them. */
  end_line: number
  /** The cases in which they ran. */
  cases: string[]
}

export function coverageOf(cases: readonly CoveredCase[], rows: readonly Row[]): Coverage {
  const problems = new Set(rows.filter(({ level }) => level === 'problem').map(nameOfRow))
  const names = [...new Set(cases.flatMap(({ files }) => [...files.keys()]))].sort()
  const all = names.map(file => {
    const told = cases.flatMap(({ name, files }) => {
      const found = files.get(file)
      return found ? [{ name, found }] : []
    })
    return { file, read: told.filter(({ found }) => found.why === undefined), told }
  })
  const open = all.flatMap(({ file, read }) =>
    (read[0]?.found.handlers ?? []).flatMap(({ line, kind, text }, index) => {
      const runs = read.map(({ found }) => found.handlers[index]?.isRun)
      return runs.includes(true) ? [] : [{ file, line, kind, text, isTold: runs.includes(false) }]
    }),
  )
  open.sort((one, other) => one.file.localeCompare(other.file) || one.line - other.line)
  const parts = cases.flatMap(one => [...one.parts])
  const heard = new Set(parts.flatMap(([part, isHeard]) => (isHeard ? [part] : [])))
  const silent = [...new Set(parts.map(([part]) => part))].filter(part => !heard.has(part))
  const unsure = open.filter(({ isTold }) => !isTold)
  return {
    files: all.filter(({ read }) => read.length > 0).length,
    runs: cases.length,
    untold: cases.filter(({ isWhole }) => !isWhole).map(({ name }) => name),
    ...(silent.length > 0 && { silent }),
    unreached: open.filter(({ isTold }) => isTold).map(({ isTold: _, ...handler }) => handler),
    only_in_problems: all.flatMap(({ file, read }) => problemLines(file, read, problems)),
    unread: [
      ...all.flatMap(({ file, told }) => {
        const why = told.find(({ found }) => found.why !== undefined)?.found.why
        return why === undefined ? [] : [{ file, why }]
      }),
      ...unsure.map(({ file, line, text }) => ({
        file,
        why: `whether line ${line} ran cannot be told: ${text}`,
      })),
    ],
  }
}

function problemLines(
  file: string,
  read: readonly { name: string; found: CoveredFile }[],
  problems: ReadonlySet<string>,
): ProblemLines[] {
  const ran = new Map<number, string[]>()
  for (const { name, found } of read)
    for (const line of found.lines) ran.set(line, [...(ran.get(line) ?? []), name])
  const found: ProblemLines[] = []
  let last: ProblemLines | undefined
  for (const [line, cases] of [...ran].sort(([one], [other]) => one - other)) {
    const isOnly = cases.every(name => problems.has(name))
    if (isOnly && last && last.cases.join('\n') === cases.join('\n')) last.end_line = line
    else {
      last = isOnly ? { file, line, end_line: line, cases } : undefined
      if (last) found.push(last)
    }
  }
  return found
}

const mostCases = 3

/** The coverage as lines of text; a line that ends with a colon is the head of those below it. Empty without one. */
export function coverageLines({ coverage }: { coverage?: Coverage }): string[] {
  if (!coverage) return []
  const { files, runs, untold, silent = [], unreached, only_in_problems: lines, unread } = coverage
  const head = (text: string, below: readonly string[]) =>
    below.length === 0 ? [] : [`${text}:`, ...below.map(line => `  ${line}`)]
  const named = (names: readonly string[]) =>
    `${names.slice(0, mostCases).join(', ')}${names.length > mostCases ? ` and ${names.length - mostCases} more` : ''}`
  return [
    files === 0
      ? 'Coverage: nothing of your own files was told'
      : `Coverage of ${counted(files, 'file')} of your own that a run loaded`,
    ...(untold.length === 0
      ? []
      : [
          `Of ${counted(runs, 'run')} ${untold.length} did not tell everything, since a process was killed or is neither of Node nor of Python; what only ${untold.length === 1 ? 'it' : 'they'} ran is not known: ${named(untold)}`,
        ]),
    ...(silent.length === 0 ? [] : [`No process of Node or Python told what ran in ${silent.join(', ')}`]),
    ...head(
      untold.length === 0
        ? 'Handlers that no run ran'
        : 'Handlers that none of the runs ran that told everything',
      unreached.map(({ file, line, kind, text }) => `${file}:${line} ${kind}: ${text}`),
    ),
    ...(files > 0 && unreached.length === 0 ? ['Each handler that could be read ran in a run'] : []),
    ...head(
      'Lines that ran in problem cases only',
      lines.map(
        ({ file, line, end_line: end, cases }) =>
          `${file}:${line}${end === line ? '' : `-${end}`} in ${named(cases)}`,
      ),
    ),
    ...head(
      'Not read',
      unread.map(({ file, why }) => `${file}: ${why}`),
    ),
  ]
}
