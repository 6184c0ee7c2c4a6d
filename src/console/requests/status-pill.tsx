import type { RequestView } from '../../kits/views.ts'
import { to } from '../store/address.ts'
import { rulesIn } from './why.ts'

/** An HTTP status, coloured by its class. A broken reply is red, whatever its status says. */
export function StatusPill({ status, broken }: Pick<RequestView, 'status' | 'broken'>) {
  const isBroken = broken !== undefined || status === 0
  const brokenWords = status === 0 ? 'no reply was sent' : `the status says ${status}`
  return (
    <span
      class={`pill tone-${isBroken ? 'failed' : toneOf(status)}`}
      title={isBroken ? brokenWords : undefined}
    >
      {isBroken ? 'broken' : status}
    </span>
  )
}

function toneOf(status: number): string {
  if (status >= 500) return 'failed'
  if (status >= 400) return 'expired'
  return status >= 300 ? 'queued' : 'succeeded'
}

/** The rules that acted on a request. A rule of a scenario is a link to the scenario. */
export function RuleNames({ rule }: { rule: string }) {
  return (
    <>
      {rulesIn(rule).map(({ name, scenario }, i) => (
        <span key={name}>
          {i > 0 && ', '}
          {scenario === undefined ? <strong>{name}</strong> : <a href={to('scenarios', scenario)}>{name}</a>}
        </span>
      ))}
    </>
  )
}

/** The fields of a body that nothing read; absent when all were read. */
export function Ignored({ fields }: { fields: readonly string[] | undefined }) {
  if (!fields) return null
  return (
    <p class="remark tone-expired">
      Ignored: {fields.map(name => `“${name}”`).join(', ')} (misspelt, or not a field of this operation).
    </p>
  )
}
