import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packagePath, realTime } from '../../emulator/ground.ts'
import type { CoveredCase } from './covered.ts'
import type { Subject, ToldCall, ToldStart } from './run.ts'

/** The user's own files that the runs of one case loaded or read, with a digest of each: paths from the folder of the program, and `node v22.1.0`. */
export interface Loaded {
  files: Readonly<Record<string, string>>
  /** Why these are not all. Absent: they are. */
  why?: string
}

/** The same subject, which keeps what its runs loaded. */
interface Recorder {
  subject: Subject
  /** What all runs of this name loaded. */
  loadedBy(name: string): Loaded
  /** What ran in all of them, by their names; none without coverage. */
  covered(): CoveredCase[]
}

export function recorderOf(subject: Subject, folder: string, isCovered: boolean): Recorder {
  const known = new Map<string, Loaded>()
  const covered = new Map<string, CoveredCase>()
  const run: Subject['run'] = async (world, options) => {
    const root = await mkdtemp(join(realpathSync(tmpdir()), 'gateway-emulator-files-'))
    const startedMs = realTime.wallNow()
    const starts: Start[] = []
    const told = ({ env, part, isCheck = false, words }: ToldStart) => {
      const records = join(root, String(starts.length))
      const left = isCovered && !isCheck ? join(records, covers) : undefined
      mkdirSync(left ?? records, { recursive: true })
      starts.push({ records, words, ...(left && { left }), ...(part !== undefined && { part }) })
      const { tellsCalls = false } = options
      return recorderEnvironment({ records, left, tellsCalls }, env)
    }
    try {
      const done = await subject.run(world, { ...options, told })
      const { name, state = root } = options
      const runs = starts.map(start => {
        const place = { folder, words: start.words, startedMs, state }
        const lines = readRecords(start.records)
        const { files, why } = loadedIn(lines, place)
        const whyOf = why && start.part !== undefined ? `${start.part}: ${why}` : why
        known.set(name, joined(known.get(name), { files, ...(whyOf && { why: whyOf }) }))
        return { ...start, lines, pids: pidsIn(lines), isOfUser: (path: string) => isOwn(path, place) }
      })
      if (isCovered) {
        // With its parser it is large, and seldom asked for.
        const { coveredCase } = await import('./covered.ts')
        const nameOf = (path: string) => nameIn(folder, path)
        covered.set(name, coveredCase(covered.get(name), { name, runs, nameOf }))
      }
      return options.tellsCalls ? { ...done, calls: runs.flatMap(callsIn) } : done
    } finally {
      await rm(root, { recursive: true, force: true })
    }
  }
  return {
    subject: { run },
    loadedBy: name => known.get(name) ?? { files: {}, why: 'it was not run' },
    covered: () => [...covered.values()],
  }
}

/** A command that was started, and the folder of what its processes wrote. */
interface Start extends Pick<ToldStart, 'words' | 'part'> {
  records: string
  /** The folder of what ran. Absent: it is not told. */
  left?: string
}

function callsIn({ part, lines }: { part?: string; lines: readonly Lines[] }): ToldCall[] {
  return lines.flat().flatMap(([kind, method = '', path = '', ...stack]) => {
    const told = { method, path, stack: stack.join('\n'), ...(part !== undefined && { service: part }) }
    return kind === 'c' ? [told] : []
  })
}

/** The processes that told what they load. */
function pidsIn(records: readonly Lines[]): string[] {
  return records.flat().flatMap(([kind, pid = '']) => (kind === 'h' ? [pid] : []))
}

/** What two runs loaded. */
export function joined(one: Loaded = { files: {} }, other: Loaded): Loaded {
  const files = { ...one.files, ...other.files }
  const changed = Object.keys(one.files).find(file => files[file] !== one.files[file])
  const why = one.why ?? other.why ?? (changed === undefined ? undefined : changedText(changed))
  return { files, ...(why !== undefined && { why }) }
}

function changedText(file: string): string {
  return `${file} was changed while it was explored`
}

/** Variables by which the Node and Python processes of a command write what they load, and what of it runs, beside those that it has. */
function recorderEnvironment(
  { records, left, tellsCalls }: { records: string; left: string | undefined; tellsCalls: boolean },
  { NODE_OPTIONS = '', PYTHONPATH = '' }: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  return {
    ...(left && { NODE_V8_COVERAGE: left, GATEWAY_EMULATOR_COVERAGE: left }),
    GATEWAY_EMULATOR_FILES: records,
    ...(tellsCalls && { GATEWAY_EMULATOR_CALLS: '1' }),
    NODE_OPTIONS:
      `${NODE_OPTIONS} --import ${pathToFileURL(packagePath('dist/loaded-files.js')).href}`.trim(),
    PYTHONPATH: [packagePath('python/tie'), PYTHONPATH].filter(Boolean).join(delimiter),
  }
}

/** The name of the folder of what ran, in that of the files. */
const covers = 'coverage'

/** What one process wrote: its lines, each of a letter and fields. `loaded-preload.ts` says what they mean. */
type Lines = readonly (readonly string[])[]

function readRecords(folder: string): Lines[] {
  const files = readdirSync(folder).filter(name => name !== covers)
  return files.map(name =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter(line => line !== '')
      .map(line => line.split('\0')),
  )
}

interface Place {
  /** The folder in which the program is started. */
  folder: string
  /** The command and its arguments. */
  words: readonly string[]
  startedMs: number
  /** A folder whose files are not the program's. */
  state: string
}

/** Reads the records of a run that just ended. */
function loadedIn(records: readonly Lines[], place: Place): Loaded {
  const { folder, words, startedMs } = place
  const all = records.flat()
  const births = [['b', folder, ...words], ...all.filter(([kind]) => kind === 'b')].map(readBirth)
  const found = new Map<string, string>()
  const add = (kind: string, path: string) => {
    if (isOwn(path, place)) found.set(kind === 'd' ? join(path, '*') : path, '')
  }
  for (const lines of records) {
    const first = new Set<string>()
    for (const [kind = '', path = ''] of lines) {
      if (!'srwd'.includes(kind) || first.has(path)) continue
      first.add(path)
      if (kind !== 'w') add(kind, path)
    }
  }
  for (const path of births.flatMap(({ files }) => files)) add('r', path)
  const scripts = [...found.keys()].filter(path => programFile.test(path) && existsSync(path))
  const jsons = scripts.map(jsonImports)
  for (const path of jsons.flatMap(({ files }) => files)) add('r', path)
  const folders = new Set([...scripts.map(path => dirname(path)), folder])
  const beside = [
    ...[...folders].flatMap(one => [...filesIn(one, local), join(one, '/')]),
    ...new Set([...folders].flatMap(upwards).flatMap(one => filesIn(one, settings))),
  ]
  const variables = variablesIn([...found.keys()])
  const files: Record<string, string> =
    variables === undefined ? {} : { [variables]: digestOfVariables(variables) }
  let changed: string | undefined
  for (const path of [...found.keys(), ...beside]) {
    const name = nameIn(folder, path)
    files[name] = digestOf(path)
    if (!isList(path) && changedMs(path) >= startedMs - coarseMs) changed ??= name
  }
  for (const [kind, path = '', , runtime = ''] of all) {
    if (kind === 'h') files[runtime] = ''
    if (kind === 'p') files[nameIn(folder, join(path, '*'))] = digestOf(join(path, '*'))
  }
  const none = scripts.length === 0 ? 'no file of your own was told' : undefined
  const why =
    births.find(birth => birth.why !== undefined)?.why ??
    jsons.find(json => json.why !== undefined)?.why ??
    unseenIn(records) ??
    none ??
    (changed === undefined ? undefined : changedText(changed))
  return { files, ...(why !== undefined && { why }) }
}

/** Moments of a file system are as old as the last tick of its clock, ms. */
const coarseMs = 10

/** Why not every process of a run has told what it loaded; undefined when each has: the parent of each is another one, or this process. */
function unseenIn(records: readonly Lines[]): string | undefined {
  if (records.length === 0) return 'no process of Node or Python told which files it loads'
  const all = records.flat()
  const count = (kind: string) => all.filter(line => line[0] === kind).length
  if (count('T') > count('t')) return 'a worker did not tell which files it loads'
  const heads = all.filter(([kind]) => kind === 'h')
  const pids = new Set(heads.map(([, pid]) => pid))
  const parents = new Map(heads.map(([, pid = '', parent = '']) => [pid, parent]))
  const strange = [...parents.values()].filter(parent => !pids.has(parent))
  const births = all.filter(([kind]) => kind === 'b')
  // A shell for one plain command, as npm starts it, tells nothing, and its child does.
  const between = strange.filter(parent => parent !== String(process.pid))
  if (between.length === strange.length || between.length > births.filter(isShell).length)
    return 'it is started by a process that is neither Node nor Python'
  const untold =
    records.some(lines => {
      const own = lines.find(([kind]) => kind === 'h')?.[1]
      const children = [...parents.values()].filter(parent => parent === own)
      return lines.filter(line => line[0] === 'b' && !isShell(line)).length > children.length
    }) || pids.size <= births.length
  return untold ? 'a child process did not tell which files it loads' : undefined
}

/** Files that a command or a module names. */
interface Found {
  files: string[]
  /** Why it may load others that nobody tells. */
  why?: string
}

const runtimes = /^(?:node|nodejs|python[\d.]*)(?:\.exe)?$/i
const plainWords = /^[\w@%+=:,./\s"'-]+$/

/** The files that the words of a command name, and why it may read others that nobody tells. */
function readBirth([, cwd = '', ...words]: readonly string[]): Found {
  const [program = '', ...args] = words
  const named = words.flatMap(word => [word, word.replace(/^-[\w-]+=/, '')]).map(word => resolve(cwd, word))
  const files = [...new Set(named)].filter(isFile)
  const name = basename(program)
  if (runtimes.test(name)) return { files }
  const text = args.filter(word => word !== '--')[1] ?? ''
  if (isShell(['b', cwd, ...words]) && plainWords.test(text))
    return readBirth(['b', cwd, ...text.replaceAll(/["']/g, '').trim().split(/\s+/)])
  const script = scriptOf(program, cwd)
  if (script !== undefined) return { files: [...files, script] }
  return { files, why: `it starts ${name}, and the files of such a program are not known` }
}

/** The files of a command that tells nothing: its program, and those that it names. */
export function filesOfCommand([program = '', ...args]: readonly string[], folder: string): Loaded {
  const path = fileOfProgram(program, folder)
  const named = readBirth(['b', folder, program, ...args]).files
  const files = [...(path === undefined ? [] : [realpathSync(path)]), ...named]
  return { files: Object.fromEntries(files.map(file => [nameIn(folder, file), digestOf(file)])) }
}

/** Whether a birth is that of a shell for a command in its words. */
function isShell([, , program = '', option]: readonly string[]): boolean {
  return /^(?:ba|da|z)?sh$/.test(basename(program)) && option === '-c'
}

/** The file of a command that begins with a line by which Node or Python runs it, such as npx; undefined for any other. */
function scriptOf(program: string, cwd: string): string | undefined {
  const path = fileOfProgram(program, cwd)
  if (path === undefined) return undefined
  const [line = ''] = readFileSync(path, 'latin1').split('\n', 1)
  return /^#!.*\b(?:node|python[\d.]*)\b/.test(line) ? realpathSync(path) : undefined
}

function fileOfProgram(program: string, cwd: string): string | undefined {
  const bins = upwards(cwd).map(folder => join(folder, 'node_modules/.bin'))
  const places = /[\\/]/.test(program) ? [cwd] : [...bins, ...(process.env.PATH ?? '').split(delimiter)]
  return places.map(place => resolve(place, program)).find(isFile)
}

/** Whether a word names a file. It may be a whole script, which is too long for a name, and a folder of PATH may be closed. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** JSON and others that a module imports: Node reads them itself, and they are no scripts. */
function jsonImports(path: string): Found {
  const text = readFileSync(path, 'utf8')
  const named = [...text.matchAll(/(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"](\.[^'"]+\.(?:json|wasm))['"]/g)]
  const files = named.map(([, name = '']) => resolve(dirname(path), name))
  const typed = text.match(/\btype['"]?\s*:\s*['"]json['"]/g)?.length ?? 0
  const isUnsure = /\.[cm]?[jt]sx?$/.test(path) && typed > files.length
  return { files, ...(isUnsure && { why: `${basename(path)} may import JSON that it does not name` }) }
}

const programFile = /\.(?:[cm]?[jt]sx?|py)$/
/** Files whose appearance may change what a program loads: of its languages, and its settings. */
const weighty = /\.(?:[cm]?[jt]sx?|pyi?|so|node|wasm|json5?|ya?ml|toml|ini|cfg|conf|env|txt)$|^\.env/
/** What decides on the packages and the translation of a program. */
const settings =
  /^(?:package(?:-lock)?\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-(?:lock|workspace)\.yaml|bun\.lockb?|[jt]sconfig.*\.json|\.npmrc|pyproject\.toml|(?:requirements|constraints).*\.txt|(?:uv|poetry|Pipfile|pdm)\.lock|Pipfile|setup\.(?:cfg|py)|\.python-version)$/
/** What is read by code that tells nothing: settings of the environment, and databases. */
const local = /^\.env.*|.*\.(?:sqlite3?|db)$/

function filesIn(folder: string, names: RegExp): string[] {
  const found = readdirSync(folder).filter(name => names.test(name))
  const installed = names === settings ? [join('node_modules', '.package-lock.json')] : []
  return [...found, ...installed].map(name => join(folder, name))
}

/** A folder and those above it, up to that of a repository, the user's own, or that of temporary files. */
function upwards(folder: string): string[] {
  const above = dirname(folder)
  const isTop = existsSync(join(folder, '.git')) || [folder, homedir(), tmpdir()].includes(above)
  return isTop ? [folder] : [folder, ...upwards(above)]
}

const foreign =
  /(?:^|[\\/])(?:node_modules|site-packages|dist-packages|__pycache__)[\\/]|[\\/]lib(?:64)?[\\/]python\d|^[\\/](?:proc|dev|sys)[\\/]/
/** What loaders and package managers keep in the folder of temporary files, and what explore keeps there. */
const passing = /^(?:tsx-|node-compile-cache|v8-compile-cache|jest_|gateway-emulator-)/

/** Whether a file is neither of a package, of the runtime, of the system nor of this package, and not kept by a tool. */
function isOwn(path: string, { folder, state }: Place): boolean {
  const others = [packagePath('dist'), packagePath('python'), state, process.execPath]
  if (foreign.test(isBelow(path, folder) ? relative(folder, path) : path)) return false
  if (others.some(one => isBelow(path, one))) return false
  const isKept = [tmpdir(), realpathSync(tmpdir())].some(
    place => isBelow(path, place) && passing.test(relative(place, path)),
  )
  return !isKept && !['.cache', '.npm'].some(name => isBelow(path, join(homedir(), name)))
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return !(way.startsWith('..') || isAbsolute(way))
}

/** The path from the folder of the program; a folder ends with `/` for its files of programs and settings, and with `/*` for all its files. */
function nameIn(folder: string, path: string): string {
  const name = relative(folder, path).split(sep).join('/') || '.'
  return path.endsWith(sep) ? `${name}/` : name
}

function isList(path: string): boolean {
  return /[\\/]\*?$/.test(path)
}

function changedMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** Whether these files, by their names from the folder of the program, are as they were. */
export function areUnchanged(files: Loaded['files'], folder: string): boolean {
  const digestNow = (name: string) =>
    name.startsWith(variable) ? digestOfVariables(name) : digestOf(join(folder, name))
  return Object.entries(files).every(([name, digest]) => digestNow(name) === digest)
}

/** A name in the list of files that is none: that of variables of the environment. */
const variable = 'variable '
const ofShell = /^(?:_|PATH|HOME|PWD|OLDPWD|SHLVL|TERM|USER|LOGNAME|SHELL)$/
/** Larger files are no programs or settings. */
const mostText = 512 * 1024

/** `variable ARK_MODEL PROMPT`: the variables of the environment whose names stand in files, in whatever case; undefined when none do. */
function variablesIn(paths: readonly string[]): string | undefined {
  const isText = (path: string) => (statSync(path, { throwIfNoEntry: false })?.size ?? mostText) < mostText
  const texts = paths.filter(path => !isList(path) && isText(path)).map(path => readFileSync(path, 'utf8'))
  const words = new Set(texts.flatMap(text => text.toUpperCase().match(/\w+/g) ?? []))
  const names = Object.keys(process.env).filter(
    name => !ofShell.test(name) && !name.startsWith('GATEWAY_EMULATOR_') && words.has(name.toUpperCase()),
  )
  return names.length === 0 ? undefined : `${variable}${names.sort().join(' ')}`
}

/** One digest of all their values, so that none of them can be told from it. */
function digestOfVariables(name: string): string {
  return hashOf(JSON.stringify(name.split(' ').map(one => process.env[one] ?? null)))
}

function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16)
}

/** The digest of a file, or of the names in a folder; `absent` where there is none. */
function digestOf(path: string): string {
  try {
    const content = isList(path) ? namesIn(path) : readFileSync(path)
    return hashOf(content)
  } catch {
    return 'absent'
  }
}

function namesIn(path: string): string {
  const isAll = path.endsWith('*')
  const entries = readdirSync(isAll ? dirname(path) : path, { withFileTypes: true })
  const isPackage = (name: string) => existsSync(join(path, name, '__init__.py'))
  return entries
    .filter(one => isAll || (one.isDirectory() ? isPackage(one.name) : weighty.test(one.name)))
    .map(({ name }) => name)
    .filter(name => name !== '__pycache__')
    .sort()
    .join('\n')
}
