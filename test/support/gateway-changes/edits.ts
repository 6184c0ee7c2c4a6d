import type { Edit } from '../changed-recording.ts'
import type { jobs } from './jobs.ts'

/** One difference of a gateway, and the row that it contradicts; undefined: no row claims it. */
export type Change = [
  what: string,
  job: keyof typeof jobs,
  operation: string,
  edit: Edit,
  row: string | undefined,
]

/** Only in replies that show a success. */
export const succeeded =
  (edit: Edit): Edit =>
  (body, passing) => {
    const word = body.status ?? body.output?.task_status ?? body.task?.status ?? body.data?.[0]?.status
    if (/^(succeeded|SUCCEEDED)$/.test(word)) edit(body, passing)
  }
export const status =
  (to: number): Edit =>
  (_, passing) => {
    passing.status = to
  }
export const shorter = (link: string, seconds: number) =>
  link.replace(/Expires=(\d+)/, (_, end) => `Expires=${Number(end) - seconds}`)

/** Replaces a status by another one. */
export const insteadOf =
  (from: number, to: number): Edit =>
  (_, passing) => {
    if (passing.status === from) passing.status = to
  }
/** Only in replies with 200. */
export const accepted =
  (edit: Edit): Edit =>
  (body, passing) => {
    if (passing.status === 200) edit(body, passing)
  }
/** Only in refusals. */
export const refused =
  (edit: Edit): Edit =>
  (body, passing) => {
    if (passing.status >= 400) edit(body, passing)
  }
/** A refusal becomes an acceptance. */
export const acceptedInstead =
  (which: RegExp, reply: unknown): Edit =>
  (body, passing) => {
    if (passing.status < 400 || !which.test(JSON.stringify(body) ?? '')) return
    passing.status = 200
    passing.body = reply
  }
