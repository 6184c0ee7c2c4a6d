import type { ScenarioList as Scenarios } from '../../kits/views.ts'
import { Button } from '../parts/button.tsx'
import { Switch } from '../parts/fields.tsx'
import { to } from '../store/address.ts'
import { report } from '../store/notices.ts'
import { activate, type Listed, toggle } from './listing.ts'

interface Props {
  listing: Scenarios
  item: string | undefined
}

/** The active scenarios, in the order in which their rules are tried, and then the others. */
export function ScenarioList({ listing: { available, active }, item }: Props) {
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
