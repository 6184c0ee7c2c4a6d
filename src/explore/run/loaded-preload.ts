/**
 * Loaded into Node programs whose report says which files each run loaded. It writes them at once, one a line, into a file of this process in
 * the folder of GATEWAY_EMULATOR_FILES, so that a process that is killed has told them, too. Fields are separated by NUL: `h` pid, parent and
 * runtime; `s` a script; `r` a file that is read, `w` one that is written first; `d` a folder that is listed; `b` folder and words of a child
 * process; `T` a worker, and `t` the worker itself; `u` why its files cannot be known; with GATEWAY_EMULATOR_CALLS `c` method, path without query, and stack of calls.
 */
import childProcess from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import fs from 'node:fs'
import { Session } from 'node:inspector'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'
import { endTelling } from './run.ts'

const { GATEWAY_EMULATOR_FILES: folder, GATEWAY_EMULATOR_COVERAGE: isCovered } = process.env
if (folder) tellFiles(folder)
// What ran is written at the end, and not by a process that is killed. Listeners for the end are of a program that ends by itself.
if (isCovered && isMainThread)
  process.on(endTelling, () => Reflect.apply(Reflect.get(process, 'reallyExit'), process, [0]))

type Note = (...words: readonly string[]) => void

function tellFiles(folder: string): void {
  const { openSync, writeSync, unlinkSync } = fs
  const path = join(folder, `${process.pid}-${process.hrtime.bigint()}`)
  const file = openSync(path, 'a')
  const told = new Set<string>()
  const note: Note = (...words) => {
    const line = words.join('\0').replaceAll('\n', ' ')
    if (told.has(line) && !/^[bT]/.test(line)) return
    told.add(line)
    try {
      writeSync(file, `${line}\n`)
    } catch {
      // Without its file, nothing is known of this process.
      unlinkSync(path)
    }
  }
  note('h', String(process.pid), String(process.ppid), `node ${process.version} ${process.arch}`)
  if (!isMainThread) note('t')
  tellScripts(note)
  tellReads(note)
  tellChildren(note)
  subscribe('worker_threads', message => {
    const { worker } = message as { worker: object }
    if (worker.constructor.name !== 'InternalWorker') note('T')
  })
  if (process.env.GATEWAY_EMULATOR_CALLS) tellCalls(note)
  syncBuiltinESMExports()
}

/** Each script that is compiled. Node has a list of CommonJS modules, and none of the others. */
function tellScripts(note: Note): void {
  const session = new Session()
  session.connect()
  session.on('Debugger.scriptParsed', ({ params: { url } }) => {
    if (url.startsWith('file:')) note('s', fileURLToPath(url))
    else if (/^(?:[/\\]|[a-z]:\\)/i.test(url)) note('s', url)
  })
  session.post('Debugger.setSkipAllPauses', { skip: true })
  session.post('Debugger.enable')
}

function tellCalls(note: Note): void {
  const tell = (method: unknown, path: string) => {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 50
    const [, ...frames] = (new Error().stack ?? '').split('\n')
    Error.stackTraceLimit = stackTraceLimit
    note('c', String(method ?? 'GET').toUpperCase(), path.replace(/\?.*/s, ''), ...frames)
  }
  watch(globalThis, 'fetch', ([input, options]) => {
    const { url = String(input), method } = Object(input)
    tell(Object(options).method ?? method, pathIn(url))
  })
  const asked = ([first, second]: readonly unknown[]) => {
    const isAddress = typeof first === 'string' || first instanceof URL
    const { method, path = '/' } = isAddress
      ? { path: pathIn(String(first)), ...Object(typeof second === 'function' ? undefined : second) }
      : Object(first)
    tell(method, String(path))
  }
  for (const name of ['node:http', 'node:https']) {
    const client: object = createRequire(import.meta.url)(name)
    watch(client, 'request', asked)
    watch(client, 'get', asked)
  }
}

/** A client refuses a wrong address by itself. */
function pathIn(address: string): string {
  return URL.canParse(address) ? new URL(address).pathname : ''
}

/** The file of an argument that may be a descriptor or a URL. */
function pathOf(argument: unknown): string | undefined {
  if (argument instanceof URL) return argument.protocol === 'file:' ? fileURLToPath(argument) : undefined
  if (typeof argument === 'string') return resolve(argument)
  return Buffer.isBuffer(argument) ? resolve(argument.toString()) : undefined
}

/** Whether flags of `open` begin a file anew, or only add to it. */
function isWriting(flags: unknown): boolean {
  const { O_WRONLY, O_TRUNC, O_EXCL } = fs.constants
  if (typeof flags === 'number') return (flags & (O_WRONLY | O_TRUNC | O_EXCL)) !== 0
  return typeof flags === 'string' && /^(?:w|a[^+]*$|ax)/.test(flags)
}

function tellReads(note: Note): void {
  const telling = (kind: (args: readonly unknown[]) => string, at = 0) => {
    return (args: readonly unknown[]) => {
      const path = pathOf(args[at])
      if (path !== undefined) note(kind(args), path)
    }
  }
  const read = telling(() => 'r')
  const opened = telling(([, flags]) => (isWriting(flags) ? 'w' : 'r'))
  const written = telling(() => 'w')
  const listed = telling(() => 'd')
  const arrived = telling(() => 'w', 1)
  const loaded = telling(() => 'r', 1)
  const calls: Readonly<Record<string, (args: readonly unknown[]) => void>> = {
    open: opened,
    readFile: read,
    writeFile: written,
    appendFile: written,
    readdir: listed,
    opendir: listed,
    rename: arrived,
    copyFile(args) {
      read(args)
      arrived(args)
    },
  }
  watch(process, 'dlopen', loaded)
  for (const [name, tell] of Object.entries(calls)) {
    watch(fs, name, tell)
    watch(fs, `${name}Sync`, tell)
    watch(fs.promises, name, tell)
  }
}

/** Calls `tell` with the arguments of each call of a function, before it. */
function watch(holder: object, name: string, tell: (args: readonly unknown[]) => void): void {
  const functions = holder as Record<string, (...args: unknown[]) => unknown>
  const plain = functions[name]
  if (!plain) return
  functions[name] = new Proxy(plain, {
    apply(target, self, args) {
      tell(args)
      return Reflect.apply(target, self, args)
    },
  })
}

function tellChildren(note: Note): void {
  const tell = (cwd: unknown, words: readonly unknown[]) =>
    note('b', resolve(cwd === undefined ? '.' : (pathOf(cwd) ?? '.')), ...words.map(String))
  const { prototype } = childProcess.ChildProcess as unknown as { prototype: object }
  watch(prototype, 'spawn', ([options]) => {
    const { file, args = [], cwd } = Object(options)
    tell(cwd, [file, ...args.slice(1)])
  })
  const sync = ([file, ...given]: readonly unknown[]) => {
    const words = Array.isArray(given[0]) ? given[0] : []
    const { cwd, shell } = Object(given.find(one => typeof one === 'object' && !Array.isArray(one)))
    tell(cwd, shell ? ['sh', '-c', [file, ...words].join(' ')] : [file, ...words])
  }
  watch(childProcess, 'spawnSync', sync)
  watch(childProcess, 'execFileSync', sync)
  watch(childProcess, 'execSync', ([command, options]) => tell(Object(options).cwd, ['sh', '-c', command]))
}
