import { to } from '../store/address.ts'
import { rulesIn } from './why.ts'

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
