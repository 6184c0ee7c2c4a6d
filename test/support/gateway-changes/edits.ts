import type { Edit } from '../changed-recording.ts'
import type { Passing } from '../changing-proxy.ts'
import type { jobs } from './jobs.ts'

/** One difference of a gateway, and the row that it contradicts; undefined: no row claims it. */
export type Change = [
  what: string,
  job: keyof typeof jobs,
  operation: string,
  edit: Edit,
  row: string | undefined,
]

// biome-ignore lint/suspicious/noExplicitAny: values of every shape
type Value = string | number | boolean | null | object | ((old: any) => unknown)

/** Every object that has the last name of a path such as `data[].task.url`, and that name. Where the path ends early there is none. */
// biome-ignore lint/suspicious/noExplicitAny: a change reaches into replies of every shape
function placesOf(body: any, path: string): [holder: any, name: string][] {
  const [step = '', ...rest] = path.split('.')
  if (typeof body !== 'object' || body === null) return []
  if (rest.length === 0) return [[body, step]]
  const below = step.endsWith('[]') ? (body[step.slice(0, -2)] ?? []) : [body[step]]
  return below.flatMap((one: unknown) => placesOf(one, rest.join('.')))
}

/** Another value, or one made from the old one. */
export const set =
  (path: string, value: Value): Edit =>
  body => {
    for (const [holder, name] of placesOf(body, path))
      holder[name] = typeof value === 'function' ? value(holder[name]) : structuredClone(value)
  }
/** As `set`, only where there is a value. */
export const change = (path: string, value: Value): Edit =>
  set(path, (old: unknown) => {
    if (old === undefined || old === null) return old
    return typeof value === 'function' ? value(old) : value
  })
export const drop =
  (path: string): Edit =>
  body => {
    for (const [holder, name] of placesOf(body, path)) delete holder[name]
  }
export const both =
  (...edits: readonly [Edit, Edit]): Edit =>
  (body, passing) => {
    for (const edit of edits) edit(body, passing)
  }
/** An edit of those replies alone of which this is true. */
const where =
  (holds: (passing: Passing) => boolean) =>
  (edit: Edit): Edit =>
  (body, passing) => {
    if (holds(passing)) edit(body, passing)
  }
/** Only in the reply with this number, from 0. */
export const nth = (number: number, edit: Edit) => where(({ count }) => count === number)(edit)
/** Another header; without a value none. */
export const header =
  (name: string, value?: string): Edit =>
  (_, { headers }) => {
    if (value === undefined) delete headers[name]
    else headers[name] = value
  }
/** Another fact of a downloaded file. */
export const file =
  (fact: string, value: unknown): Edit =>
  (_, { media }) => {
    if (media) Object.assign(media, { [fact]: value })
  }
/** Only in replies that show a success. */
export const succeeded = where(({ body }) => {
  const word = body.status ?? body.output?.task_status ?? body.task?.status ?? body.data?.[0]?.status
  return /^(succeeded|SUCCEEDED)$/.test(word)
})
export const status =
  (to: number): Edit =>
  (_, passing) => {
    passing.status = to
  }
export const shorter = (link: string, seconds: number) =>
  link.replace(/Expires=(\d+)/, (_, end) => `Expires=${Number(end) - seconds}`)

/** Replaces a status by another one. */
export const insteadOf = (from: number, to: number) => where(passing => passing.status === from)(status(to))
/** Only in replies with 200. */
export const accepted = where(passing => passing.status === 200)
/** Only in refusals. */
export const refused = where(passing => passing.status >= 400)
/** A refusal becomes an acceptance. */
export const acceptedInstead =
  (which: RegExp, reply: unknown): Edit =>
  (body, passing) => {
    if (passing.status < 400 || !which.test(JSON.stringify(body) ?? '')) return
    passing.status = 200
    passing.body = reply
  }
