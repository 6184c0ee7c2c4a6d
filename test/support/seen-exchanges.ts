import { expect } from 'vitest'
import { operationOf } from '../../src/evidence/recordings/operation.ts'
import { linkOf } from '../../src/evidence/recordings/read/steps.ts'
import { at } from '../../src/evidence/spec/json.ts'
import { linksIn } from '../../src/evidence/spec/lives.ts'
import {
  newTrail,
  type Observation,
  parametersOf,
  type SpecFamily,
  specFamilies,
  type Trail,
} from '../../src/evidence/spec/observation.ts'

/** The requests of one test through `openGateway`, for `shows`. */
let test = ''
let observations: Observation[] = []
/** By account. */
const trails = new Map<string, Trail>()
/** Accounts whose key was accepted. */
const accepted = new Set<string>()
/** The family of each link that a reply has shown. */
const families = new Map<string, SpecFamily>()

/** The exchanges of the test that runs. */
export function seenInThisTest(): readonly Observation[] {
  return test === nameOfTest() ? observations : []
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
  const observed = { operation, family: known, body: sent ?? query, status, reply }
  note({ ...trail(observed, id), ...(status === 401 && { kind }) })
}

/** Notes a download. `ageHours` is how long ago the task of the link ended, where the test knows it. */
export function noteDownload(
  link: string,
  { type, ...seen }: Pick<Observation, 'status' | 'isKeyed' | 'ageHours'> & { type: string },
): void {
  const family = families.get(linkOf(link))
  if (family) note({ operation: 'media.download', family, file: { type }, ...seen })
}

function note(observed: Observation): void {
  const name = nameOfTest()
  if (test !== name) observations = []
  test = name
  observations.push(observed)
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

/** The id of the task in a reply, where every family has it. */
export function idIn(reply: unknown): unknown {
  return (
    at(reply, 'id') ??
    at(reply, 'task_id') ??
    at(reply, 'output', 'task_id') ??
    at(reply, 'data', 'id') ??
    at(reply, 'data', 'task_id')
  )
}

/** The value of a JSON text; undefined for another text. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What requests have shown of a row in one family, and what the tests of a file must show of it together. */
interface Said {
  due: readonly string[]
  shown: readonly string[]
}

/** What one run of a test said: the row, the call of `shows` in its source, and the row's families. */
interface Claim {
  id: string
  call: string
  families: readonly Said[]
}

/** By file. */
const claims = new Map<string, Claim[]>()

/** Notes that a test says it shows a row, and what it shows. */
export function noteSaid(claim: Claim): void {
  const file = expect.getState().testPath ?? ''
  claims.set(file, [...(claims.get(file) ?? []), claim])
}

/**
 * Fails when a test of this file says that it shows a row of which its requests show nothing, or when the tests of this file leave
 * a part of a row out that they must show. The runs of a test with a table count together.
 */
export function expectAllShown(): void {
  const file = expect.getState().testPath ?? ''
  const said = claims.get(file) ?? []
  claims.delete(file)
  const idle = pooled(said, ({ id, call }) => `${id} in ${call}`).filter(([, families]) =>
    families.every(({ shown }) => shown.length === 0),
  )
  expect(
    idle.map(([claim]) => claim),
    'rows that a call of `shows` names, and of which no request of its test shows anything',
  ).toEqual([])
  const left = pooled(said, ({ id }) => id).flatMap(([id, families]) => {
    const missing = families.map(({ due, shown }) => due.filter(part => !shown.includes(part)))
    return missing.some(parts => parts.length === 0)
      ? []
      : [`${id}: ${missing.map(parts => parts.join(', ')).join(' or ')}`]
  })
  expect(left, 'what no request of the file shows of the rows that `shows` names').toEqual([])
}

/** Claims about rows that replies show, together by a name: for each family what they have shown. */
function pooled(said: readonly Claim[], nameOf: (claim: Claim) => string): [string, readonly Said[]][] {
  const all = new Map<string, readonly Said[]>()
  for (const claim of said.filter(({ families }) => families.length > 0)) {
    const before = all.get(nameOf(claim)) ?? []
    const now = claim.families.map(({ due, shown }, place) => ({
      due,
      shown: [...shown, ...(before[place]?.shown ?? [])],
    }))
    all.set(nameOf(claim), now)
  }
  return [...all]
}
