import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import kill from 'tree-kill'

/** A process as Linux shows it in /proc. */
interface Process {
  pid: number
  parent: number
  group: number
  /** It uses a processor or waits for one, or for the disk. */
  isBusy: boolean
  /** Processor time, in ticks of 10 ms. */
  ticks: number
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
  const all = readdirSync('/proc')
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
  const stat = statText(name)
  // The name of the program, in brackets, may hold spaces and brackets.
  const [state = '', parent, group, ...others] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (/^[ZX]?$/.test(state)) return undefined
  return {
    pid: Number(name),
    parent: Number(parent),
    group: Number(group),
    isBusy: state === 'R' || state === 'D',
    ticks: Number(others[8]) + Number(others[9]),
  }
}

function statText(name: string): string {
  try {
    return readFileSync(`/proc/${name}/stat`, 'utf8')
  } catch {
    return ''
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
  return readdirSync('/proc')
    .map(Number)
    .filter(pid => pid > 1 && pid !== process.pid && isOne(environmentOf(pid)))
}

function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  } catch {
    // It has ended, or belongs to another user.
    return []
  }
}
