import { readYaml } from '../options/read-yaml.ts'
import { hint, UsageError } from '../options/usage-error.ts'
import { globPattern } from '../scenarios/operations.ts'
import { isCall } from './pattern.ts'
import { type Verdict, verdicts } from './verdict.ts'

/** A case whose problem is known. `operation` may name the call (`a.create#1`); `*` matches any characters. */
export interface Accepted {
  /** An operation, or a call such as `a.create#1`. */
  operation: string
  /** The failure, such as `reply_lost`. */
  id: string
  /** The verdict that is accepted. */
  verdict: Verdict
  /** Why. */
  reason?: string
}

/** An accepted case, with the reason. */
export type KnownProblem = Accepted & { reason: string }

/** Whether a row is accepted. */
export function isAccepted(
  row: { operation: string; nth: number; id: string; verdict: Verdict },
  { operation, id, verdict }: Accepted,
): boolean {
  return isCall(operation, row) && globPattern(id).test(row.id) && verdict === row.verdict
}

const keys = ['operation', 'id', 'verdict', 'reason']

/** Reads a file of accepted cases: YAML or JSON, a list of `{operation, id, verdict, reason}`. Throws UsageError with file and entry. */
export function readAcceptFile(path: string): Accepted[] {
  const content = readYaml(path)
  if (content === null || content === undefined) return []
  if (!Array.isArray(content))
    throw new UsageError(`${path} must hold a list of {operation, id, verdict, reason}`)
  return content.map((entry, index) => readEntry(entry, `${path}: entry ${index + 1}`))
}

/** Checks one accepted case. Throws UsageError with its place. */
export function readEntry(entry: unknown, where: string): Accepted {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
    throw new UsageError(`${where} must be {operation, id, verdict, reason}`)
  const found = entry as Record<string, unknown>
  const odd = Object.keys(found).find(key => !keys.includes(key))
  if (odd !== undefined) throw new UsageError(`${where}: unknown key ${odd}${hint(odd, keys)}`)
  const lacking = keys.find(key => typeof found[key] !== 'string' || found[key] === '')
  if (lacking !== undefined) throw new UsageError(`${where}: ${lacking} must be a text that is not empty`)
  const known: readonly string[] = verdicts
  const verdict = String(found.verdict)
  if (!known.includes(verdict))
    throw new UsageError(
      `${where}: verdict "${verdict}" is not one of ${known.join(', ')}${hint(verdict, known)}`,
    )
  return {
    operation: String(found.operation),
    id: String(found.id),
    verdict: verdict as Verdict,
    reason: String(found.reason),
  }
}
