import { downloadOperation } from '../../scenarios/operations.ts'
import type { Check } from './check.ts'

/** The assumption about a value of which the specification says only the type, by family and path. The first that fits counts. */
const rows: Readonly<Record<string, readonly (readonly [path: RegExp, row: string])[]>> = {
  a: [
    [/^error|^header\.content-type$/, 'A-errors'],
    [/^usage/, 'A-usage'],
    [/^(?!items$|total$)/, 'A-record'],
  ],
  b: [
    [/^(?:code|message|request_id|header\.content-type)$/, 'B-errors'],
    [/^usage\.ratio/, 'B-ratio'],
    [/^usage\.|^file/, 'B-usage'],
    [/^output|^usage/, 'B-states'],
  ],
  c: [
    [/^(?:error|type$|request_id|header\.content-type)/, 'C-errors'],
    [/ratio$/, 'C-ratio'],
    [/usage/, 'C-usage'],
    [/^(?:task|items\[\])\.|^file/, 'C-task'],
    [/^(?:items|total)$/, 'C-list'],
  ],
  k: [
    [/^error|^header\.content-type$/, 'K-errors'],
    [/^data/, 'K-outputs'],
    [/^file/, 'K-duration'],
  ],
  image: [
    [/^error|^header\.content-type$/, 'I-codes'],
    [/^data\[\]\.(?:url|b64_json)$/, 'I-defaults'],
    [/size|^file/, 'I-size'],
    [/^usage/, 'I-usage'],
    [/^data/, 'I-layers'],
  ],
}

/** The assumption about the value at the place of a difference; undefined when there is none. */
export function valueRule({ step, path, aspect }: Check): string | undefined {
  if (step.operation === downloadOperation && (path.startsWith('header.') || aspect === 'status'))
    return 'A-downloads'
  if (aspect === 'status') return undefined
  const family = step.family === 'special' ? 'c' : step.family
  const isError = step.status >= 400
  const list = rows[family] ?? []
  return (isError ? list.slice(0, 1) : list.slice(1)).find(([pattern]) => pattern.test(path))?.[1]
}
