import { readFile, writeFile } from 'node:fs/promises'
import { packagePath } from '../../emulator/ground.ts'
import { factsOfFamily } from '../../emulator/words.ts'
import type { TaskStatus } from './task-views.ts'
import type { ExploredTrace, Trace, TraceTask } from './trace-views.ts'

const place = '<script type="application/json" id="trace">'
const end = '</script>'

/** A trace as one HTML page that needs no network: the page of the console with the document inside. Rejects when the console is not built. */
export async function tracePage(trace: ExploredTrace): Promise<string> {
  const page = await readFile(packagePath('dist/console/trace.html'), 'utf8').catch(() => {
    throw new Error('the page of traces is not built yet: run "npm run build"')
  })
  // A replacement text would be searched for $ signs.
  return page.replace(`${place}${end}`, () => `${place}${inScript(trace)}${end}`)
}

/** Writes a trace to a file: JSON when its name ends in `.json`, else the HTML page. */
export async function writeTrace(trace: Trace, out: string): Promise<void> {
  await writeFile(out, out.endsWith('.json') ? `${JSON.stringify(trace, null, 2)}\n` : await tracePage(trace))
}

/** Reads a trace from a text that `writeTrace` wrote. Throws when it is none. */
export function readTrace(text: string): Trace {
  const from = text.indexOf(place)
  const json = from < 0 ? text : text.slice(from + place.length, text.indexOf(end, from))
  const trace: Partial<Trace> = JSON.parse(json)
  if (trace.version === 1 && Array.isArray(trace.attempts)) return withStates(trace as Trace)
  throw new Error('there is no trace of version 1 in it')
}

/** Earlier versions wrote only the family's words for the states of a task. */
function withStates(trace: Trace): Trace {
  const filled = trace.tasks.map(task => ({
    ...task,
    states: task.states.map(one => ({ ...stateOf(task, one.status), ...one })),
  }))
  return { ...trace, tasks: filled }
}

function stateOf({ family, kind }: TraceTask, word: string): Pick<TraceTask['states'][number], 'state'> {
  if (word === 'deleted' || word === 'gone') return { state: 'deleted' }
  const { words = {}, wordsOfKinds } = factsOfFamily(family) ?? {}
  const found = Object.entries(wordsOfKinds?.[kind] ?? words).find(([, own]) => own === word)
  return found ? { state: found[0] as TaskStatus } : {}
}

/** JSON that cannot end the script that it stands in. */
function inScript(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
