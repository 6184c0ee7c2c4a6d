import { counted } from '../parts/format.ts'
import { Icon } from '../parts/icons.tsx'
import { useFetched } from '../parts/use-fetched.ts'
import { go, to } from '../store/address.ts'
import { control } from '../store/api.ts'
import { report } from '../store/notices.ts'
import { entries } from '../store/requests.ts'
import { type Listed, type Rule, type ScenarioDocument, scenariosChanged } from './listing.ts'

/** A scenario's rules, and how often each of them acted. */
export function ScenarioDetail({
  listed: { name, description, source },
  isActive,
}: {
  listed: Listed
  isActive: boolean
}) {
  const { value } = useFetched(
    () => control<{ document: ScenarioDocument }>('GET', `/scenarios/${encodeURIComponent(name)}`),
    [name],
  )
  const acted = entries.value.filter(({ rule }) => rule?.split(',').some(part => part.startsWith(`${name}/`)))
  const remove = () =>
    report(async () => {
      await control('DELETE', `/scenarios/${encodeURIComponent(name)}`)
      scenariosChanged.value++
      go('scenarios')
    })
  return (
    <>
      <header>
        <h2 class="row">
          <a class="button plain small icon back" href={to('scenarios')} aria-label="All scenarios">
            <Icon name="back" />
          </a>
          {name}{' '}
          <span class={`pill ${isActive ? 'tone-succeeded' : 'tone-queued'}`}>
            {isActive ? 'acts' : 'off'}
          </span>
        </h2>
        <div class="row">
          <a class="button small" href={to('scenarios', `copy:${name}`)}>
            Edit a copy
          </a>
          {source === 'world' && (
            <button type="button" class="button small danger" onClick={() => void remove()}>
              Take away
            </button>
          )}
        </div>
      </header>
      <div class="body stack">
        <p>{description}</p>
        <p class="small quiet">
          {acted.length === 0
            ? 'No rule of it acted on a request in the journal.'
            : `Its rules acted on ${counted(acted.length, 'request')} in the journal.`}
        </p>
        <ol class="rules">
          {value?.document.rules.map((rule, i) => (
            <li key={i}>
              <RuleCard
                rule={rule}
                number={i + 1}
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

function RuleCard({ rule, number, acted }: { rule: Rule; number: number; acted: readonly number[] }) {
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
    </div>
  )
}

/** A mapping in one line, as YAML's flow style has it. */
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
