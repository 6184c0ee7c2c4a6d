import { expect } from 'vitest'
import { operationOf } from '../../src/recordings/operation.ts'
import { linkOf, linksIn } from '../../src/recordings/read/steps.ts'
import { at } from '../../src/spec/json.ts'
import {
  parametersOf,
  removes,
  type Sight,
  type SpecFamily,
  specFamilies,
  stateIn,
} from '../../src/spec/sight.ts'

/** The requests of one test through `openGateway`, for `shows`. */
let test = ''
let sights: Sight[] = []
/** By account and task: the body of its create, and the state that the last reply showed. */
const made = new Map<string, unknown>()
const states = new Map<string, string>()
/** The family of each link that a reply has shown. */
const families = new Map<string, SpecFamily>()

/** The exchanges of the test that runs. */
export function seenInThisTest(): readonly Sight[] {
  return test === nameOfTest() ? sights : []
}

/** Notes a request of the emulated API and its reply. */
export function noteExchange(
  gateway: string,
  account: string,
  {
    method,
    path,
    body,
    status,
    reply,
  }: { method: string; path: string; body: unknown; status: number; reply: unknown },
): void {
  const url = new URL(path, gateway)
  const { operation, family, params } = operationOf(method, url.pathname)
  const known = specFamilies.find(one => one === family) ?? familyOfPath(url.pathname)
  const query = parametersOf(url.searchParams)
  const sent = typeof body === 'string' ? parsed(body) : body
  const id = String(params.task_id ?? query.task_ids ?? idIn(reply))
  const key = `${account} ${id}`
  if (status < 300 && method === 'POST') made.set(key, sent)
  for (const link of linksIn(reply)) families.set(linkOf(link), known)
  const sight: Sight = { operation, family: known, body: sent ?? query, status, reply, made: made.get(key) }
  const before = states.get(key)
  note({ ...sight, ...(before && { before }) })
  const now = stateIn(sight)
  if (now !== undefined) states.set(key, now)
  if (removes({ ...sight, ...(before && { before }) })) states.delete(key)
}

/** Notes a download. */
export function noteDownload(
  link: string,
  { status, type, isKeyed }: { status: number; type: string; isKeyed: boolean },
): void {
  const family = families.get(linkOf(link))
  if (family) note({ operation: 'media.download', family, status, file: { type }, isKeyed })
}

function note(sight: Sight): void {
  const name = nameOfTest()
  if (test !== name) sights = []
  test = name
  sights.push(sight)
}

function nameOfTest(): string {
  const { currentTestName = '', testPath = '' } = expect.getState()
  return `${testPath} ${currentTestName}`
}

/** Paths that no family has belong to the family that they resemble. */
function familyOfPath(path: string): SpecFamily {
  if (path.includes('images')) return 'image'
  if (path.includes('contents')) return 'a'
  if (path.includes('special')) return 'special'
  return path.includes('video_') ? 'c' : path.includes('services') || path.includes('/v1/tasks') ? 'b' : 'k'
}

function idIn(reply: unknown): unknown {
  return (
    at(reply, 'id') ??
    at(reply, 'task_id') ??
    at(reply, 'output', 'task_id') ??
    at(reply, 'data', 'id') ??
    at(reply, 'data', 'task_id')
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** By file: the rows that its tests say they show, and whether a request has shown them. */
const said = new Map<string, Map<string, boolean>>()

/** Notes that a test says it shows a row. The cases of one test show it together. */
export function noteSaid(id: string, isShown: boolean): void {
  const file = expect.getState().testPath ?? ''
  const rows = said.get(file) ?? new Map<string, boolean>()
  said.set(file, rows.set(id, isShown || (rows.get(id) ?? false)))
}

/** Fails when tests of this file say that they show rows which none of their requests has shown. */
export function expectAllShown(): void {
  const file = expect.getState().testPath ?? ''
  const rows = [...(said.get(file) ?? [])].filter(([, isShown]) => !isShown).map(([id]) => id)
  said.delete(file)
  expect(rows, 'rows that `shows` names, and that no request of the file shows').toEqual([])
}
