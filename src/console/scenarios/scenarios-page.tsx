import './scenarios.css'
import { Empty } from '../parts/empty.tsx'
import { useFetched } from '../parts/use-fetched.ts'
import { to } from '../store/address.ts'
import { control } from '../store/api.ts'
import { changes } from '../store/live.ts'
import { notify, report } from '../store/notices.ts'
import { Editor } from './editor.tsx'
import { type Listing, scenariosChanged } from './listing.ts'
import { ScenarioDetail } from './scenario-detail.tsx'

const newName = 'new'

/** What can go wrong on purpose, and what does. */
export function ScenariosPage({ item }: { item: string | undefined }) {
  const { value, fault } = useFetched(
    () => control<Listing>('GET', '/scenarios'),
    [scenariosChanged.value, changes.value],
  )
  if (!value) return <Empty title={fault ?? 'Reading scenarios …'} />
  const copied = item?.startsWith('copy:') ? item.slice('copy:'.length) : undefined
  const open = value.available.find(({ name }) => name === item)
  return (
    <div class={`page scenarios${item === undefined ? '' : ' has-open'}`}>
      <section class="card scenario-list" aria-label="Scenarios">
        <header>
          <h1>Scenarios</h1>
          <a class="button small" href={to('scenarios', newName)}>
            New
          </a>
        </header>
        <ul>
          {value.available.map(({ name, description, source }) => (
            <li key={name} class={name === item ? 'open' : ''}>
              <input
                type="checkbox"
                role="switch"
                class="switch"
                aria-label={`${name} acts`}
                checked={value.active.includes(name)}
                onChange={event => void turn(value.active, name, event.currentTarget.checked)}
              />
              <a href={to('scenarios', name)}>
                <strong>{name}</strong>
                {source !== 'shipped' && <span class="tag">{source}</span>}
                <span class="small quiet">{description}</span>
              </a>
            </li>
          ))}
        </ul>
      </section>
      <section class="card scenario-open" aria-label="Scenario">
        {item === newName ? (
          <Editor key="new" />
        ) : copied !== undefined ? (
          <Editor key={copied} from={copied} />
        ) : open ? (
          <ScenarioDetail key={open.name} listed={open} isActive={value.active.includes(open.name)} />
        ) : (
          <Choose active={value.active} />
        )}
      </section>
    </div>
  )
}

function Choose({ active }: { active: readonly string[] }) {
  return (
    <Empty title={active.length === 0 ? 'Everything goes well' : `Acting now: ${active.join(', ')}`}>
      <p>
        A scenario makes requests be refused, tasks fail or linger, files break and connections drop. Switch
        one on, or open it to see its rules and to edit a copy.
      </p>
      <p class="small">
        For a single request: the header <code>X-Emulator-Scenario: name</code>, or a tag such as{' '}
        <code>[[fail:code]]</code> in the prompt.
      </p>
    </Empty>
  )
}

async function turn(active: readonly string[], name: string, on: boolean): Promise<void> {
  const names = on ? [...active, name] : active.filter(other => other !== name)
  await report(async () => {
    await control('PUT', '/scenarios/active', { names })
    notify('done', on ? `${name} acts from now on` : `${name} acts no more`)
  })
  scenariosChanged.value++
}
