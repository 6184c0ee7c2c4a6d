import type { Answer, Gateway, Request } from './gateway.ts'
import { at, must, oneOf, type Rule, same, shown, textAt } from './rule.ts'

/** The fields of every error body of a family. */
export type ErrorShape = (answer: Answer) => void

/** Specification, "Errors", the table of body shapes. */
export const errorShapes: Readonly<Record<Rule['family'], ErrorShape>> = {
  a: withParam,
  b: ({ body }) => flat(body),
  c: wrapped,
  special: wrapped,
  k: withParam,
  image({ body }) {
    textAt(body, 'error', 'code')
    textAt(body, 'error', 'message')
  },
}

function withParam({ body }: Answer): void {
  textAt(body, 'error', 'message')
  textAt(body, 'error', 'type')
  for (const name of ['code', 'param'])
    must(at(body, 'error', name) !== undefined, `error.${name} is absent from ${shown(body)}`)
}

function flat(body: unknown): void {
  for (const name of ['code', 'message', 'request_id']) textAt(body, name)
}

function wrapped({ body, status }: Answer): void {
  same('type', at(body, 'type'), 'error')
  textAt(body, 'error', 'type')
  textAt(body, 'error', 'message')
  textAt(body, 'request_id')
  same('error.http_code', Number(at(body, 'error', 'http_code')), status)
}

/** Rejects unless the reply is a refusal with one of these statuses, in the family's shape. */
export function refused(family: Rule['family'], answer: Answer, statuses: readonly number[]): void {
  oneOf(`The status (${shown(answer.body)})`, answer.status, statuses)
  errorShapes[family](answer)
}

/** A request that must be refused: its differences from a valid request. */
export interface RefusedRequest {
  id: string
  says: string
  cites: string
  /** What to send; an object takes the place of single fields of the family's plain request. */
  send: (gateway: Gateway) => unknown
  method?: string
  path?: string | ((gateway: Gateway) => string)
  statuses?: readonly number[]
  request?: Request
  needs?: Rule['needs']
}

/** Rules from a table of refusals. `plain` is a request that would be accepted. */
export function refusals(
  family: Rule['family'],
  path: string | ((gateway: Gateway) => string),
  plain: (gateway: Gateway) => Record<string, unknown>,
  rows: readonly RefusedRequest[],
): Rule[] {
  return rows.map(row => ({
    id: `${family}.${row.id}`,
    family,
    says: row.says,
    cites: row.cites,
    costs: false,
    ...(row.needs && { needs: row.needs }),
    async check(gateway) {
      const change = row.send(gateway)
      const isChange = typeof change === 'object' && change !== null
      const body = isChange ? { ...plain(gateway), ...change } : change
      const where = row.path ?? path
      const target = typeof where === 'string' ? where : where(gateway)
      const answer = await gateway.ask(row.method ?? 'POST', target, { ...row.request, body })
      refused(family, answer, row.statuses ?? [400])
    },
  }))
}
