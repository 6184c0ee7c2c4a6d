import { readdirSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { packagePath } from '../../../emulator/ground.ts'

/** A place in a source file, from a stack that a program printed. */
export interface Frame {
  file: string
  line: number
  /** The function, where the stack names it. */
  name?: string
}

/** The places in a stack that a pattern finds, by its groups `file`, `line` and `name`. */
export function framesIn(stack: string, place: RegExp): Frame[] {
  return [...stack.matchAll(place)].flatMap(({ groups }) => {
    const { file = '', line, name } = groups ?? {}
    return line === undefined ? [] : [{ file, line: Number(line), ...(name && { name }) }]
  })
}

/** What a program wrote until it ended by itself. */
interface Written {
  /** Its standard error; when that is empty, all its output. */
  text: string
  code: number
}

/** An error that ended a program because nobody caught it. */
export interface UncaughtError {
  /** The class, such as `KeyError`. */
  name: string
  /** The line that states it. */
  line: string
  /** True for an error of the language about the program's own data; false for one that states what happened, such as a refused connection. */
  isOfData: boolean
  /** Whether the program logged it with its stack. What ended the program may then be another error, or its own decision. */
  isPrinted?: boolean
  /** The stack, innermost first. */
  frames: readonly Frame[]
}

/** Finds an uncaught error of one language; undefined when there is none. */
export type Reader = (written: Written) => UncaughtError | undefined

/** Classes of all languages for data that cannot be read: `JSONDecodeError`, `JsonParseException`, `ZodError`. */
const decoder =
  /(?:Decod(?:e|ing)|Parse|Parser|Parsing|Syntax|Deserializ\w*|Serialization|TypeValidation|ResponseValidation|Zod|Unmarshal\w*|MismatchedInput|MalformedJson|UnidentifiedImage|BadZip(?:File)?)(?:Error|Exception|File)?$/

export function isDecoder(name: string): boolean {
  return decoder.test(name)
}

/** The last part of a qualified name: `requests.exceptions.HTTPError` is `HTTPError`. */
export function shortName(name: string): string {
  return name.split(/::|[.\\]/).at(-1) ?? name
}

/** Folders of installed packages, of languages and of their runtimes. */
const foreign =
  /(?:^|[\\/])(?:node_modules|site-packages|dist-packages|vendor|third_party|\.cargo|rustc|gems|\.?venv|pkg[\\/]mod|go[\\/]src)(?:[\\/]|$)|^(?:node|bun|ext|deno|internal):|^internal\/|^<|^native|[\\/]lib(?:64)?[\\/]python\d|[\\/](?:lib|share)[\\/](?:[^\\/]+[\\/])?perl5?[\\/]|^\/usr\/(?:lib|share)\/|\\Lib\\/

/** Packages whose frames have no folder: `com.fasterxml.jackson.databind.ObjectMapper.readTree`. */
const foreignNames =
  /^(?:java|javax|jdk|sun|kotlin|kotlinx|scala|okhttp3|retrofit2|reactor|org\.(?:apache|springframework|json)|com\.(?:fasterxml|google|sun)|System|Microsoft|Newtonsoft)\./

/**
 * The innermost frame in the user's own files, as `kling.py:44 \`create\``; undefined when the stack has none. Files below `folder` and in
 * the folders beside it go before others outside of installed packages, such as a library that was installed from its sources.
 */
export function ownFrame(frames: readonly Frame[], folder: string): string | undefined {
  const candidates = frames.filter(
    ({ file, name = '' }) =>
      !foreign.test(file) && !foreignNames.test(name) && !isOfTie(file) && !isInstalled(file, folder),
  )
  const own = candidates.find(({ file }) => isBeside(file, folder)) ?? candidates[0]
  if (!own) return undefined
  const name = nameOf(own)
  return `${shortPath(own.file, folder)}:${own.line}${name === undefined ? '' : ` \`${name}\``}`
}

/** Whether a file ties the program to its world, wherever this package lies. */
function isOfTie(file: string): boolean {
  return isAbsolute(file) && ['dist', 'python'].some(name => isBelow(file, packagePath(name)))
}

/** Whether a file is below the folder, or in one beside it: a program that runs another one may lie in a folder of its own. */
function isBeside(file: string, folder: string): boolean {
  const parent = dirname(folder)
  return isBelow(file, folder) || (dirname(parent) !== parent && isAbsolute(file) && isBelow(file, parent))
}

function isBelow(file: string, folder: string): boolean {
  return !relative(folder, isAbsolute(file) ? file : join(folder, file)).startsWith('..')
}

/** Whether a file below `folder` belongs to a package of Python that pip put there, with its `httpx-0.28.1.dist-info` beside it. */
function isInstalled(file: string, folder: string): boolean {
  if (!isBelow(file, folder)) return false
  const within = relative(folder, join(isAbsolute(file) ? '' : folder, file)).split(sep)
  return within.slice(0, -1).some((name, depth) => {
    const beside = namesIn(dirname(join(folder, ...within.slice(0, depth + 1))))
    return beside.some(other => other.startsWith(`${name}-`) && other.endsWith('.dist-info'))
  })
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function shortPath(file: string, folder: string): string {
  return isAbsolute(file) && isBeside(file, folder) ? relative(folder, file) : file
}

/** The function without its class or package; none for the code of a module itself. */
function nameOf({ name = '' }: Frame): string | undefined {
  const own =
    name
      .replace(/^(?:async|new) /, '')
      .split(/[./:#]/)
      .at(-1) ?? ''
  return /^[A-Za-z_$][\w$]*$/.test(own) && own !== 'module' ? own : undefined
}
