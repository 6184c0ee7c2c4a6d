import './scenarios.css'
import type { Shadow } from '../../emulator/page.ts'
import type { ScenarioRule } from '../../emulator/words.ts'
import type { ScenarioList as Scenarios } from '../../kits/views.ts'
import { BackLink, Button } from '../parts/button.tsx'
import { Empty, NoSuchPage } from '../parts/empty.tsx'
import { Switch } from '../parts/fields.tsx'
import { counted } from '../parts/format.ts'
import { useFetched } from '../parts/use-fetched.ts'
import { RuleNames } from '../requests/status-pill.tsx'
import { go, to } from '../store/address.ts'
import { changes } from '../store/live.ts'
import { report } from '../store/notices.ts'
import { entries } from '../store/requests.ts'
import { activeScenarios } from '../store/status.ts'
import { doWithUndo } from '../store/undo.ts'
import { Editor } from './editor.tsx'
import { activate, type Listed, readScenario, readScenarios, scenariosChanged, toggle } from './listing.ts'

/** The scenarios of the world, and one of them open. */
export function ScenariosPage({ item }: { item: string | undefined }) {
  const { value, fault } = useFetched(readScenarios, [
    item,
    scenariosChanged.value,
    changes.value,
    activeScenarios.value.join(),
  ])
  if (!value) return <Empty title={fault ?? 'Reading scenarios …'} />
  return (
    <div class={`page columns scenarios${item === undefined ? '' : ' has-open'}`}>
      <section class="panel scenario-list" aria-label="Scenarios">
        <header>
          <h2>Scenarios</h2>
          <a class="button small" href={to('scenarios', 'new')}>
            New
          </a>
        </header>
        <ScenarioList listing={value} item={item} />
      </section>
      <section class="panel" aria-label="Scenario">
        <h1 class="unseen">Scenarios</h1>
        <Open listing={value} item={item} />
      </section>
    </div>
  )
}

/** What the address asks for: `new`, `copy:name`, `edit:name`, or the name of a scenario to look at. */
function Open({ listing: { available, active }, item }: { listing: Scenarios; item: string | undefined }) {
  if (item === undefined) return <Choose active={active} />
  if (item === 'new') return <Editor key="new" kind="new" active={active} />
  const [, kind, name = item] = /^(copy|edit):(.*)$/.exec(item) ?? []
  const listed = available.find(known => known.name === name)
  if (!listed || (kind === 'edit' && listed.source !== 'world'))
    return (
      <NoSuchPage
        what={kind === 'edit' ? `scenario “${name}” of your own` : `scenario “${name}”`}
        page="scenarios"
      >
        All scenarios
      </NoSuchPage>
    )
  if (kind === 'copy' || kind === 'edit') return <Editor key={item} kind={kind} name={name} active={active} />
  return <ScenarioDetail key={name} listed={listed} isActive={active.includes(name)} />
}

function Choose({ active }: { active: readonly string[] }) {
  return (
    <Empty title={active.length === 0 ? 'No scenario is active' : `Active: ${active.join(', ')}`}>
      <p>
        A scenario refuses requests, lets tasks fail or take long, breaks files and drops connections. Switch
        one on, or open it to see its rules and to edit a copy.
      </p>
      <p class="small">
        For a single request: the header <code>X-Emulator-Scenario: name</code>, or a tag such as{' '}
        <code>[[fail:code]]</code> in the prompt.
      </p>
    </Empty>
  )
}

interface Props {
  listing: Scenarios
  item: string | undefined
}

/** The active scenarios, in the order in which their rules are tried, and then the others. */
function ScenarioList({ listing: { available, active }, item }: Props) {
  const named = new Map(available.map(listed => [listed.name, listed]))
  const acting = active.map(name => named.get(name) ?? unknown(name))
  const off = available.filter(({ name }) => !active.includes(name))
  const row = (listed: Listed) => <Row key={listed.name} listed={listed} active={active} item={item} />
  return (
    <>
      {acting.length > 0 && (
        <section aria-label="Active scenarios">
          <h2 class="list-title small quiet">
            {acting.length === 1 ? 'Active' : 'Active; the first rule that matches wins'}
          </h2>
          <ol>{acting.map(row)}</ol>
        </section>
      )}
      <section aria-label="Scenarios that are off">
        {acting.length > 0 && <h2 class="list-title small quiet">Off</h2>}
        <ul>{off.map(row)}</ul>
      </section>
    </>
  )
}

/** An active scenario that this run does not know, for example from a file that was not given again. */
function unknown(name: string): Listed {
  return { name, description: 'This run of the emulator does not know it.', source: 'file' }
}

interface RowProps {
  listed: Listed
  active: readonly string[]
  item: string | undefined
}

function Row({ listed: { name, description, source }, active, item }: RowProps) {
  const place = active.indexOf(name)
  return (
    <li class={name === item ? 'open' : ''}>
      <Switch
        label={`${name} is active`}
        isOn={place >= 0}
        turn={isOn => toggle(name, isOn ? 'on' : 'off')}
      />
      <a href={to('scenarios', name)}>
        <strong>
          {place >= 0 && active.length > 1 && `${place + 1}. `}
          {name}
        </strong>
        {source !== 'shipped' && <span class="tag">{source === 'world' ? 'own' : source}</span>}
        <span class="small quiet">{description}</span>
      </a>
      {place >= 0 && active.length > 1 && (
        <span class="order">
          {moves.map(({ icon, words, by }) => {
            const names = moved(active, place, by)
            return (
              <Button
                key={icon}
                look="plain small"
                icon={icon}
                label={`Try ${name} ${words}`}
                disabled={!names}
                act={() => names && report(() => activate(names))}
              />
            )
          })}
        </span>
      )}
    </li>
  )
}

const moves = [
  { icon: 'up', words: 'earlier', by: -1 },
  { icon: 'down', words: 'later', by: 1 },
] as const

/** The names with one moved by a place; undefined at the ends. */
function moved(names: readonly string[], place: number, by: 1 | -1): string[] | undefined {
  const target = place + by
  const [name] = names.slice(place, place + 1)
  if (name === undefined || target < 0 || target >= names.length) return undefined
  const others = names.filter((_, i) => i !== place)
  return [...others.slice(0, target), name, ...others.slice(target)]
}

/** A scenario's rules, and how often each of them acted. */
function ScenarioDetail({
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
