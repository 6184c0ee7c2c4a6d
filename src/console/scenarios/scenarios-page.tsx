import './scenarios.css'
import type { ScenarioList as Scenarios } from '../../kits/views.ts'
import { Empty, NoSuchPage } from '../parts/empty.tsx'
import { useFetched } from '../parts/use-fetched.ts'
import { to } from '../store/address.ts'
import { changes } from '../store/live.ts'
import { activeScenarios } from '../store/status.ts'
import { Editor } from './editor.tsx'
import { readScenarios, scenariosChanged } from './listing.ts'
import { ScenarioDetail } from './scenario-detail.tsx'
import { ScenarioList } from './scenario-list.tsx'

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
