import type { ChildProcess } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { cpus } from 'node:os'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as pause } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import spawn from 'cross-spawn'
import kill from 'tree-kill'
import { environmentOf, procNames, statOf } from '../../emulator/ground.ts'
import { UsageError } from '../../emulator/options.ts'
import { type Exit, endTelling, type Run } from './run.ts'

const mostOutput = 256 * 1024

/** A program with its arguments, its whole environment, and the folder in which it starts; absent: that of this process. */
interface Start {
  program: string
  args: readonly string[]
  env: NodeJS.ProcessEnv
  folder?: string
}

/** Starts a program as a process group of its own. Rejects with UsageError when it cannot be started. */
export function startChild({ program, args, env, folder }: Start): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    // cross-spawn: on Windows npm and npx are scripts, which only a shell can start. The process group lets explore end all processes of the program.
    const child = spawn(program, args, {
      env,
      ...(folder !== undefined && { cwd: folder }),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    })
    child.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'ENOENT' ? 'the program does not exist' : error.message
      reject(new UsageError(`Cannot start ${program}: ${why}`))
    })
    child.once('spawn', () => resolve(child))
  })
}

/** What a child wrote up to now. The path of a state folder is another one in each case, so it stands there as `{state}`. */
export function outputOf(child: ChildProcess): (state?: string) => Pick<Run, 'output' | 'errors'> {
  let output = ''
  let errors = ''
  const both = [new StringDecoder(), new StringDecoder()] as const
  child.stdout?.on('data', (chunk: Buffer) => {
    output = (output + both[0].write(chunk)).slice(-mostOutput)
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    const text = both[1].write(chunk)
    output = (output + text).slice(-mostOutput)
    errors = (errors + text).slice(-mostOutput)
  })
  return (state?: string) => ({ output: plain(output, state), errors: plain(errors, state) })
}

/** Without colours, and with one kind of line end: a page of a proxy has those of Windows, and a progress bar writes over its line. */
function plain(text: string, state: string | undefined): string {
  const written = stripVTControlCharacters(text).replaceAll(/\r+\n?/g, '\n')
  return state === undefined ? written : written.replaceAll(state, '{state}')
}

export function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  if (process.platform === 'win32') {
    kill(pid, signal)
    return
  }
  try {
    process.kill(-pid, signal)
  } catch {
    // All processes of the group have ended already.
  }
}

interface Process {
  pid: number
  parent: number
  group: number
  /** It uses a processor or waits for one, or for the disk. */
  isBusy: boolean
  /** Processor time, in ticks of 10 ms. */
  ticks: number
}

/** Processor time of all processes that have ended below this one, with theirs, ms; undefined where the system does not tell. */
export function endedProcessesMs(): number | undefined {
  const [used, inKernel] = statOf('self').slice(13, 15)
  return inKernel === undefined ? undefined : (Number(used) + Number(inKernel)) * 10
}

/** For how long processors of the machine have had nothing to do, all together, ms. */
export function idleMs(): number {
  return cpus().reduce((sum, { times }) => sum + times.idle, 0)
}

/** How long killed processes may take to disappear, wall ms. */
const mostMs = 2000

/**
 * Kills a program at once with its process group and all processes below it, also those in a session of their own. Resolves when none of
 * them is left.
 */
export async function killTree(pid: number): Promise<void> {
  if (process.platform !== 'linux') {
    await new Promise(resolve => kill(pid, 'SIGKILL', resolve))
    return
  }
  const tree = treeOf(pid).map(one => one.pid)
  for (const one of [-pid, ...tree]) endProcess(one)
  const isLeft = () => tree.some(one => processAt(String(one)) !== undefined)
  for (const began = performance.now(); isLeft() && performance.now() - began < mostMs; ) await pause(2)
}

/** Kills a process, or with a negative number a process group. */
function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

/** A program, its process group and all processes below it. Linux only. */
function treeOf(pid: number): Process[] {
  const all = procNames('')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => processAt(name) ?? [])
  const own = new Set([pid])
  // Children are listed after their parents, save when the numbers have begun anew.
  for (let before = 0; before !== own.size; ) {
    before = own.size
    for (const one of all) if (own.has(one.parent) || one.group === pid) own.add(one.pid)
  }
  return all.filter(one => own.has(one.pid))
}

/** A process; undefined when it has ended, also when its parent has not looked at it yet. */
function processAt(name: string): Process | undefined {
  const [state = '', parent, group, ...others] = statOf(name)
  if (/^[ZX]?$/.test(state)) return undefined
  return {
    pid: Number(name),
    parent: Number(parent),
    group: Number(group),
    isBusy: state === 'R' || state === 'D',
    ticks: Number(others[8]) + Number(others[9]),
  }
}

/** Between two looks at a program that may have more to do, wall ms. */
const restMs = 30
/** Looks in a row at which it did nothing. */
const restfulLooks = 3
/** Some programs are never at rest, such as those with a moving progress bar. */
const mostRestMs = 1000

/** Waits until a program has worked on all that it has received: its processes use no processor. Elsewhere than on Linux it waits a fifth of a second. */
export async function atRest(pid: number): Promise<void> {
  if (process.platform !== 'linux') return pause(200)
  let before = -1
  let restful = 0
  for (const began = performance.now(); restful < restfulLooks && performance.now() - began < mostRestMs; ) {
    await pause(restMs)
    const tree = treeOf(pid)
    const ticks = tree.reduce((sum, one) => sum + one.ticks, 0)
    restful = ticks === before && !tree.some(({ isBusy }) => isBusy) ? restful + 1 : 0
    before = ticks
  }
}

/** The variables that only processes of one run have together: no two runs have the same emulator, world and case. */
const marks = ['GATEWAY_EMULATOR_URL', 'GATEWAY_EMULATOR_WORLD', 'GATEWAY_EMULATOR_CASE'] as const

/** How long it looks for processes that start others while they are ended, wall ms. */
const patienceMs = 2_000

/**
 * Ends the processes of a run that left its process group, such as daemons: they still have the environment of the run. Only Linux
 * shows the environment of a process; elsewhere this does nothing. Resolves when none is left.
 */
export async function endLeftProcesses(env: NodeJS.ProcessEnv): Promise<void> {
  const entries = marks.map(name => `${name}=${env[name]}`)
  await endProcessesWith(known => entries.every(entry => known.includes(entry)))
}

/** Ends all processes with such an environment. Resolves with their number when none is left. Linux only: elsewhere it finds none. */
export async function endProcessesWith(isOne: (environment: readonly string[]) => boolean): Promise<number> {
  if (process.platform !== 'linux') return 0
  const found = new Set<number>()
  const lastAt = performance.now() + patienceMs
  for (let left = processesWith(isOne); left.length > 0; left = processesWith(isOne)) {
    for (const pid of left) {
      found.add(pid)
      endProcess(pid)
    }
    if (performance.now() > lastAt) break
    await pause(5)
  }
  return found.size
}

/** A process that has ended has no environment any more. */
function processesWith(isOne: (environment: readonly string[]) => boolean): number[] {
  return procNames('')
    .map(Number)
    .filter(pid => pid > 1 && pid !== process.pid && isOne(environmentOf(pid)))
}

export interface Started {
  child: ChildProcess
  /** What it wrote up to now. `state` is the folder of the case. */
  output(state?: string): { output: string; errors: string }
  /** How it ended; undefined while it runs. */
  exit(): Exit | undefined
  ended: Promise<Exit>
}

/** Starts a process of a system. Rejects with UsageError when it cannot be started. */
export async function startPart(start: Start): Promise<Started> {
  const child = await startChild(start)
  const output = outputOf(child)
  let exit: Exit | undefined
  const ended = new Promise<Exit>(resolve => {
    child.once('exit', (code, signal) => {
      exit = signal ? { kind: 'signal', signal } : { kind: 'ended', code: code ?? 0 }
      resolve(exit)
    })
  })
  return { child, output, exit: () => exit, ended }
}

/** Resolves when it has ended and its output is read, but not later than so many wall ms after its end. */
export function isRead({ child }: Started, ms: number): Promise<void> {
  if (child.stdout?.readableEnded !== false && child.stderr?.readableEnded !== false) return Promise.resolve()
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    child.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** Ends a process, kindly first: a database then leaves nothing behind. */
export async function endKindly({ child, exit, ended }: Started, ms: number): Promise<void> {
  if (exit() === undefined) {
    endGroup(child, 'SIGTERM')
    const timer = setTimeout(() => endGroup(child, 'SIGKILL'), ms)
    await ended
    clearTimeout(timer)
  }
  endGroup(child, 'SIGKILL')
}

/**
 * Ends a process with those below it when those that tell what ran have done so, or after so many wall ms. `records` has a file of each that
 * tells, which begins with its id: the others, such as Ruby and Go, may ignore the signal.
 */
export async function endTold(one: Started, { records, ms }: { records: string; ms: number }): Promise<void> {
  const isThere = (pid: number) => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  const isLeft = () =>
    isThere(-(one.child.pid ?? 0)) && readdirSync(records).some(name => isThere(Number.parseInt(name, 10)))
  if (one.exit() === undefined && process.platform !== 'win32') {
    endGroup(one.child, endTelling)
    for (const began = performance.now(); isLeft() && performance.now() - began < ms; ) await pause(5)
  }
  await killPart(one)
  // Those below one that has ended.
  endGroup(one.child, 'SIGKILL')
}

/** Kills a process with all below it, at once. */
export async function killPart({ child, exit, ended }: Started): Promise<void> {
  if (exit() !== undefined) return
  await killTree(child.pid ?? 0)
  await ended
}
