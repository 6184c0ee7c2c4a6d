import { useEffect } from 'preact/hooks'
import type { ComingDownloads, TaskView } from '../../kits/views.ts'
import { thenText } from '../breaking/breakage.ts'
import { preciseTime } from '../parts/format.ts'
import { RuleNames } from '../requests/status-pill.tsx'
import { now } from '../store/clock.ts'
import { failures, readFailures } from '../store/failures.ts'

const operation = 'media.download'

/** The first rule that is sure to act on the next download, of those that a condition selects. */
export function surelyNext(
  { coming_downloads: rules = [] }: Pick<TaskView, 'coming_downloads'>,
  isMeant: (rule: ComingDownloads) => boolean,
): ComingDownloads | undefined {
  return rules.find(
    rule =>
      rule.first === 1 &&
      (rule.chance ?? 1) === 1 &&
      rule.headers === undefined &&
      (rule.from_ms ?? now.value) <= now.value &&
      !isPast(rule) &&
      isMeant(rule),
  )
}

function isPast({ until_ms: until }: ComingDownloads): boolean {
  return until !== undefined && until <= now.value
}

/** Whether a rule gives the client something other than the file: a refusal, or a connection that breaks. */
export function isNoFile({ then }: ComingDownloads): boolean {
  const { refuse, connection } = then as { refuse?: object; connection?: string | object }
  if (refuse !== undefined || typeof connection === 'string') return true
  return connection !== undefined && ['hang', 'reset', 'garble'].some(word => word in connection)
}

/** What rules that have not acted yet will do to downloads of a task's files. */
export function Coming({ task }: { task: TaskView }) {
  const rules = (task.coming_downloads ?? []).filter(rule => !isPast(rule)).sort((a, b) => a.first - b.first)
  const isAny = rules.length > 0
  useEffect(() => {
    if (isAny) void readFailures()
  }, [isAny])
  if (!isAny) return null
  return (
    <ul class="small" aria-label="What coming downloads get">
      {rules.map(rule => (
        <li key={rule.rule} class="remark tone-expired">
          {downloadsText(rule)}: {thenText(operation, rule.then, failures.value)} (
          <RuleNames rule={rule.rule} />)
        </li>
      ))}
    </ul>
  )
}

/** On which calls a rule acts: `Next media.download`, `Each media.download before 08:10:00.000`. */
function downloadsText(rule: ComingDownloads): string {
  const { from_ms: from, until_ms: until, chance, headers = [] } = rule
  const limits = [
    from !== undefined && from > now.value && ` from ${preciseTime(from)} on`,
    until !== undefined && ` before ${preciseTime(until)}`,
    ...headers.map(name => ` that has the right header ${name}`),
    chance !== undefined && `, with a chance of ${Math.round(chance * 1000) / 10} %`,
  ]
  return `${callsOf(rule)}${limits.filter(Boolean).join('')}`
}

function callsOf({ first, last, every }: ComingDownloads): string {
  if (every !== undefined && every > 1) return `One ${operation} in ${every}, first number ${first} from now`
  if (first === last) return first === 1 ? `Next ${operation}` : `${operation} number ${first} from now`
  if (last !== null) return `${operation} number ${first} to ${last} from now`
  return first === 1 ? `Each ${operation}` : `Each ${operation} from number ${first} from now on`
}
