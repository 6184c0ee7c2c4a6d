import type { Shadow } from '../../emulator/page.ts'
import type { ScenarioRule } from '../../emulator/words.ts'
import { BackLink, Button } from '../parts/button.tsx'
import { counted } from '../parts/format.ts'
import { useFetched } from '../parts/use-fetched.ts'
import { RuleNames } from '../requests/status-pill.tsx'
import { go, to } from '../store/address.ts'
import { changes } from '../store/live.ts'
import { entries } from '../store/requests.ts'
import { doWithUndo } from '../store/undo.ts'
import { type Listed, readScenario, scenariosChanged } from './listing.ts'

/** A scenario's rules, and how often each of them acted. */
export function ScenarioDetail({
  listed: { name, description, source },
  isActive,
}: {
  listed: Listed
  isActive: boolean
}) {
  const { value } = useFetched(() => readScenario(name), [name, scenariosChanged.value, changes.value])
  const since = value?.since_request ?? 0
  const acted = entries.value.filter(
    ({ id, rule }) => id > since && rule?.split(',').some(part => part.startsWith(`${name}/`)),
  )
  const remove = async () => {
    const path = `/scenarios/${encodeURIComponent(name)}`
    if (await doWithUndo({ path, words: `The scenario ${name} was deleted` })) go('scenarios')
  }
  return (
    <>
      <header>
        <h2 class="row">
          <BackLink to={to('scenarios')} label="All scenarios" />
          {name}{' '}
          <span class={`pill ${isActive ? 'tone-succeeded' : 'tone-queued'}`}>
            {isActive ? 'active' : 'off'}
          </span>
        </h2>
        <div class="row">
          <a class="button small" href={to('scenarios', `copy:${name}`)}>
            Edit a copy
          </a>
          {source === 'world' && (
            <a class="button small" href={to('scenarios', `edit:${name}`)}>
              Edit
            </a>
          )}
          {source === 'world' && (
            <Button look="small danger" act={remove}>
              Delete
            </Button>
          )}
        </div>
      </header>
      <div class="body stack">
        <p>{description}</p>
        <p class="small quiet">
          {acted.length === 0
            ? 'None of its rules acted on a request in the journal.'
            : `Its rules acted on ${counted(acted.length, 'request')} in the journal.`}
        </p>
        <ol class="rules">
          {value?.document.rules.map((rule, i) => (
            <li key={i}>
              <RuleCard
                rule={rule}
                number={i + 1}
                shadows={value.shadowed[i] ?? []}
                acted={acted
                  .filter(entry => actedBy(entry.rule ?? '', `${name}/${i + 1}`))
                  .map(({ id }) => id)}
              />
            </li>
          ))}
        </ol>
      </div>
    </>
  )
}

function actedBy(rule: string, wanted: string): boolean {
  return rule.split(',').includes(wanted)
}

interface RuleProps {
  rule: ScenarioRule
  number: number
  shadows: readonly Shadow[]
  acted: readonly number[]
}

function RuleCard({ rule, number, shadows, acted }: RuleProps) {
  return (
    <div class="rule">
      <div class="row spread">
        <h3>Rule {number}</h3>
        {acted.length > 0 ? (
          <a class="pill tone-running" href={to('requests', String(acted[0]))}>
            acted {acted.length}×
          </a>
        ) : (
          <span class="small quiet">has not acted</span>
        )}
      </div>
      <dl class="facts">
        <dt>when</dt>
        <dd class="mono">{rule.when ? wordsOf(rule.when) : 'any request'}</dd>
        <dt>then</dt>
        <dd class="mono">{wordsOf(rule.then)}</dd>
      </dl>
      {shadows.map(({ by, effect, always }) => (
        <p key={`${by} ${effect}`} class="small shadow-note tone-expired">
          <span>
            <RuleNames rule={by} />
          </span>{' '}
          comes first{' '}
          {always
            ? `and matches all of these requests: ${effect} never acts.`
            : `for ${effect} where both match.`}
        </p>
      ))}
    </div>
  )
}

/** A mapping in one line, in the flow style of YAML. */
function wordsOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(wordsOf).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([key, entry]) => `${key}: ${isMapping(entry) ? `{ ${wordsOf(entry)} }` : wordsOf(entry)}`)
    .join(', ')
}

function isMapping(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
