import { expect } from 'vitest'
import { operationOf } from '../../src/recordings/operation.ts'
import { linkOf } from '../../src/recordings/read/steps.ts'
import { at } from '../../src/spec/json.ts'
import { linksIn } from '../../src/spec/lives.ts'
import { parametersOf, type Sight, type SpecFamily, specFamilies } from '../../src/spec/sight.ts'
import { newTrail, type Trail } from '../../src/spec/trail.ts'

/** The requests of one test through `openGateway`, for `shows`. */
let test = ''
let sights: Sight[] = []
/** By account. */
const trails = new Map<string, Trail>()
/** Accounts whose key was accepted. */
const accepted = new Set<string>()
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
  for (const link of linksIn(reply)) families.set(linkOf(link), known)
  const trail = trails.get(account) ?? newTrail()
  trails.set(account, trail)
  if (status < 400) accepted.add(account)
  const kind = accepted.has(account) ? 'key that worked before' : 'wrong key'
  const sight = { operation, family: known, body: sent ?? query, status, reply }
  note({ ...trail(sight, id), ...(status === 401 && { kind }) })
}

/** Notes a download. `ageHours` is how long ago the task of the link ended, where the test knows it. */
export function noteDownload(
  link: string,
  { type, ...seen }: Pick<Sight, 'status' | 'isKeyed' | 'ageHours'> & { type: string },
): void {
  const family = families.get(linkOf(link))
  if (family) note({ operation: 'media.download', family, file: { type }, ...seen })
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

/** What the tests of a file have shown of a row in one family, and what they must show of it. */
interface Said {
  due: readonly string[]
  shown: readonly string[]
}

/** By file and row: one for each family. */
const said = new Map<string, Map<string, readonly Said[]>>()

/** Notes that a test says it shows a row, and what it shows. */
export function noteSaid(id: string, families: readonly Said[]): void {
  const file = expect.getState().testPath ?? ''
  const rows = said.get(file) ?? new Map<string, readonly Said[]>()
  const before = rows.get(id) ?? []
  const now = families.map(({ due, shown }, place) => ({
    due,
    shown: [...shown, ...(before[place]?.shown ?? [])],
  }))
  said.set(file, rows.set(id, now))
}

/** Fails when tests of this file say that they show rows which their requests do not show. */
export function expectAllShown(): void {
  const file = expect.getState().testPath ?? ''
  const rows = [...(said.get(file) ?? [])].flatMap(([id, families]) => {
    const left = families.map(({ due, shown }) =>
      shown.length === 0 ? ['anything'] : due.filter(part => !shown.includes(part)),
    )
    return left.length === 0 || left.some(parts => parts.length === 0) ? [] : [`${id}: ${left.join(' or ')}`]
  })
  said.delete(file)
  expect(rows, 'rows that `shows` names, and what no request of the file shows of them').toEqual([])
}
