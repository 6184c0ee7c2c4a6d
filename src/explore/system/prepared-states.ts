import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { statOf } from '../../emulator/ground.ts'
import { jsonIn } from '../../emulator/words.ts'
import { endProcessesWith, killTree } from '../run/processes.ts'
import type { States } from '../run/state-folder.ts'

/** The folders of an exploration of a system: one that `prepare` fills, and a copy of it for each case. */
export interface SystemFolders {
  /** What each case begins with. */
  prepared: string
  states: States
  /** What an exploration left that was killed, and what became of it, as sentences without their end. */
  cleaned: string[]
}

const prefix = 'gateway-emulator-system-'
const marker = 'explore.json'
/** A line for each process that was started: its number and its start. */
const startedList = 'started'

interface Owner {
  pid: number
  /** When that process was started, as Linux shows it; `-` elsewhere. */
  start: string
  made_at: string
}

/** Makes the folders, and removes those that an exploration left which was killed, with its processes. */
export async function systemFolders(): Promise<SystemFolders> {
  const cleaned = await cleanLeft()
  const root = await mkdtemp(join(tmpdir(), prefix))
  const owner: Owner = { pid: process.pid, start: startOf(process.pid), made_at: new Date().toISOString() }
  await writeFile(join(root, marker), JSON.stringify(owner))
  const prepared = join(root, 'prepared')
  await mkdir(prepared)
  const remove = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 3 })
  let count = 0
  return {
    prepared,
    cleaned,
    states: {
      async open() {
        const path = join(root, `case-${++count}`)
        await cp(prepared, path, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
        return { path, close: () => remove(path) }
      },
      end: () => remove(root),
    },
  }
}

/** Notes a process of a case, so that it can be ended when this exploration is killed. Redis and others write over their environment. */
export function noteStarted(state = '', pid = 0): void {
  const root = dirname(state)
  if (existsSync(join(root, marker))) appendFileSync(join(root, startedList), `${pid} ${startOf(pid)}\n`)
}

/** The noted processes that still run. */
function startedOf(root: string): number[] {
  return textOf(join(root, startedList))
    .split('\n')
    .flatMap(line => {
      const [pid, start] = line.split(' ')
      const [state = 'Z', ...others] = statOf(Number(pid))
      return state !== 'Z' && others[18] === start ? [Number(pid)] : []
    })
}

async function cleanLeft(): Promise<string[]> {
  const cleaned: string[] = []
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    if (!name.startsWith(prefix)) continue
    const root = join(tmpdir(), name)
    const owner = ownerOf(root)
    if (!owner || isAlive(owner)) continue
    const marked = await endProcessesWith(known =>
      known.some(entry => entry.startsWith(`GATEWAY_EMULATOR_STATE=${root}/`)),
    )
    const started = startedOf(root)
    for (const pid of started) await killTree(pid)
    const ended = marked + started.length
    await rm(root, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
    const found =
      process.platform === 'linux' ? `${ended} processes were ended` : 'its processes may still run'
    cleaned.push(`an exploration of ${owner.made_at} had been killed: ${found}, and its folders were removed`)
  }
  return cleaned
}

/** Undefined when it is no such folder, or its owner is just writing it. */
function ownerOf(root: string): Owner | undefined {
  return jsonIn(textOf(join(root, marker))) as Owner | undefined
}

/** Empty where there is none: another exploration may clean at the same moment. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function isAlive({ pid, start }: Owner): boolean {
  try {
    process.kill(pid, 0)
    return startOf(pid) === start
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' && startOf(pid) === start
  }
}

function startOf(pid: number): string {
  return statOf(pid)[19] ?? '-'
}
