import { readdirSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { jsonIn } from '../../emulator/words.ts'
import { type Handler, type Parts, partsOf, type Spot } from './handlers.ts'

/** What ran of one of the user's own files. */
export interface CoveredFile {
  /** Its handlers; `isRun` is undefined where that cannot be told. */
  handlers: (Handler & { isRun?: boolean })[]
  /** The lines that ran. */
  lines: number[]
  /** Why it cannot be read. Absent: it was. */
  why?: string
}

/** What all runs of one name ran; `isWhole` where each of their processes told it. */
export interface CoveredCase {
  name: string
  files: ReadonlyMap<string, CoveredFile>
  isWhole: boolean
  /** Of a system: the parts that were started, and whether a process of each told something. */
  parts: ReadonlyMap<string, boolean>
}

interface Range {
  startOffset: number
  endOffset: number
  count: number
}

interface V8Script {
  url: string
  functions: { ranges: Range[] }[]
}

type SourceMaps = Readonly<Record<string, { lineLengths: number[]; data: Mapped | null }>>
type Mapped = ConstructorParameters<typeof SourceMap>[0]

/** Sources, also of what is translated. Packers make modules of data, too. */
const isProgram = /\.(?:[cm]?[jt]sx?|py|vue|svelte)$/

interface V8Coverage {
  result: V8Script[]
  'source-map-cache'?: SourceMaps
}

/** A command of a run. */
interface Start {
  /** Of a system: which of its parts it is. */
  part?: string
  /** The folder in which its processes left what ran: Node as V8 writes it, Python as `covered_lines.py` does. Absent: it is none of the program. */
  left?: string
  /** Its processes of Node and Python. */
  pids: readonly string[]
  isOfUser(path: string): boolean
}

/** What ran in a run, together with what ran in those of the same name before. */
export function coveredCase(
  before: CoveredCase | undefined,
  { name, runs, nameOf }: { name: string; runs: readonly Start[]; nameOf(path: string): string },
): CoveredCase {
  const files = new Map(before?.files)
  const parts = new Map(before?.parts)
  let isWhole = before?.isWhole ?? true
  for (const { part, left, pids, isOfUser } of runs) {
    if (left === undefined) continue
    const found = coveredIn(left, isOfUser)
    for (const [path, file] of found.files) files.set(nameOf(path), both(files.get(nameOf(path)), file))
    // A service of another language has none of these handlers.
    isWhole &&= (pids.length > 0 || part !== undefined) && pids.every(pid => found.pids.has(pid))
    if (part !== undefined) parts.set(part, parts.get(part) || pids.length > 0)
  }
  return { name, files, isWhole, parts }
}

/** What ran, by the path of the file, and the ids of the processes that left it. */
function coveredIn(
  folder: string,
  isOfUser: (path: string) => boolean,
): { files: Map<string, CoveredFile>; pids: Set<string> } {
  const isOwn = (path: string) => isProgram.test(path) && isOfUser(path)
  const files = new Map<string, CoveredFile>()
  const pids = new Set<string>()
  for (const name of readdirSync(folder)) {
    const [, language, pid = ''] = /^(coverage|python)-(\d+)/.exec(name) ?? []
    if (language === undefined) continue
    const text = readFileSync(join(folder, name), 'utf8')
    const left = language === 'python' ? undefined : (jsonIn(text) as V8Coverage | undefined)
    // A process of Node that was killed may have written a part of it.
    if (language === 'coverage' && !left) continue
    const found = left ? ofNode(left, isOwn) : ofPython(text)
    for (const [path, file] of found) if (isOwn(path)) files.set(path, both(files.get(path), file))
    pids.add(pid)
  }
  return { files, pids }
}

/** What ran in one of two processes, or in both. */
function both(one: CoveredFile | undefined, other: CoveredFile): CoveredFile {
  if (!one || one.why !== undefined) return other
  if (other.why !== undefined) return one
  const isRun = (index: number) => one.handlers[index]?.isRun || other.handlers[index]?.isRun
  return {
    handlers: other.handlers.map((handler, index) => ({ ...handler, ...(isRun(index) && { isRun: true }) })),
    lines: [...new Set([...one.lines, ...other.lines])],
  }
}

/** A handler in Python: its line, kind, text, and the first line of its code, 0 where that runs without it, too. */
type PythonHandler = [number, Handler['kind'], string, number]
type PythonRow = ['file', string, PythonHandler[], string | null] | ['line', string, number]

function ofPython(text: string): [string, CoveredFile][] {
  // A process that was killed may have begun a row.
  const rows = text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter(Boolean)
    .map(row => JSON.parse(row) as PythonRow)
  const ran = new Map<string, number[]>()
  for (const [kind, path, line] of rows) if (kind === 'line') ran.set(path, [...(ran.get(path) ?? []), line])
  return rows.flatMap((row): [string, CoveredFile][] => {
    if (row[0] !== 'file') return []
    const [, path, handlers, why] = row
    const lines = ran.get(path) ?? []
    const told = handlers.map(([line, kind, own, first]) => {
      return { line, kind, text: own, ...(first > 0 && { isRun: lines.includes(first) }) }
    })
    return [[path, { handlers: told, lines, ...(why !== null && { why }) }]]
  })
}

function ofNode(
  { result, 'source-map-cache': maps = {} }: V8Coverage,
  isOwn: (path: string) => boolean,
): [string, CoveredFile][] {
  return result
    .filter(({ url }) => url.startsWith('file:'))
    .flatMap((script): [string, CoveredFile][] => {
      const map = maps[script.url]
      if (map) return ofMapped(script, map, isOwn)
      const path = fileURLToPath(script.url)
      return isOwn(path) ? [[path, ofPlain(path, script)]] : []
    })
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** How often a place of a script ran: its innermost range says it. */
function countsOf({ functions }: V8Script): (at: number) => number {
  const ranges = functions.flatMap(one => one.ranges)
  const size = (range: Range) => range.endOffset - range.startOffset
  ranges.sort((one, other) => size(one) - size(other))
  return at => ranges.find(range => range.startOffset <= at && at < range.endOffset)?.count ?? 0
}

const otherCode = 'its code is not that of its file, and has no source map'

function ofPlain(path: string, script: V8Script): CoveredFile {
  const source = textOf(path)
  const length = Math.max(...script.functions.flatMap(({ ranges }) => ranges.map(range => range.endOffset)))
  if (source?.length !== length) return unread(otherCode)
  const count = countsOf(script)
  return fileOf(path, source, ({ index }) => count(index) > 0)
}

function unread(why: string): CoveredFile {
  return { handlers: [], lines: [], why }
}

/** A file, by a function that says whether the code between two places ran; undefined where it cannot tell. */
function fileOf(
  path: string,
  source: string,
  isRun: (from: Spot, to: Spot) => boolean | undefined,
): CoveredFile {
  const known = knownParts(path, source)
  if (known instanceof Error) return unread(`it is not understood: ${known.message}`)
  return {
    handlers: known.handlers.map(({ handler, from, to }) => {
      const run = isRun(from, to)
      return { ...handler, ...(run !== undefined && { isRun: run }) }
    }),
    lines: known.lines.flatMap(({ from, to }) => (isRun(from, to) ? [from.line] : [])),
  }
}

/** Each run has the same sources. */
const allParts = new Map<string, Parts | Error>()

/** The parts of a source, or why it cannot be parsed. */
function knownParts(path: string, source: string): Parts | Error {
  const key = `${path}\n${source}`
  const known = allParts.get(key)
  if (known) return known
  let parts: Parts | Error
  try {
    parts = partsOf(path, source)
  } catch (error) {
    parts = error as Error
  }
  allParts.set(key, parts)
  return parts
}

/** Where a place of a source went to in the script that was made from it. */
interface Place {
  line: number
  column: number
  offset: number
}

/** The sources of a script that has a source map. */
function ofMapped(
  script: V8Script,
  { lineLengths, data }: SourceMaps[string],
  isOwn: (path: string) => boolean,
): [string, CoveredFile][] {
  const own = fileURLToPath(script.url)
  if (!data) return isOwn(own) ? [[own, unread('its source map cannot be read')]] : []
  const count = countsOf(script)
  return [...placesIn(data, lineLengths)].flatMap(([name, places]): [string, CoveredFile][] => {
    const path = name.startsWith('file:') ? fileURLToPath(name) : own
    if (!isOwn(path)) return []
    const source = textOf(path)
    if (source === undefined) return [[path, unread('the source that its map names is not there')]]
    const isBefore = (place: Place, { line, column }: Spot) =>
      place.line < line || (place.line === line && place.column < column)
    const file = fileOf(path, source, (from, to) => {
      const found = places.find(place => !isBefore(place, from))
      return found && isBefore(found, to) ? count(found.offset) > 0 : undefined
    })
    return [[path, file]]
  })
}

/** Each run has the same source maps; one of a bundle is long. */
const knownPlaces = new Map<string, Map<string, Place[]>>()

/** The places of each source, in order. */
function placesIn(data: Mapped, lineLengths: readonly number[]): Map<string, Place[]> {
  const key = JSON.stringify([data.sources, data.mappings])
  const known = knownPlaces.get(key)
  if (known) return known
  const map = new SourceMap(data)
  const found = new Map<string, Place[]>()
  let start = 0
  for (const [line, length] of lineLengths.entries()) {
    for (let column = 0; column <= length; column++) {
      const entry = map.findEntry(line, column)
      if (!('originalSource' in entry) || entry.generatedLine !== line || entry.generatedColumn !== column)
        continue
      const places = found.get(entry.originalSource) ?? []
      places.push({ line: entry.originalLine + 1, column: entry.originalColumn, offset: start + column })
      found.set(entry.originalSource, places)
    }
    start += length + 1
  }
  for (const places of found.values())
    places.sort((one, other) => one.line - other.line || one.column - other.column)
  knownPlaces.set(key, found)
  return found
}
