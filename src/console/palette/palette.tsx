import './palette.css'
import { useEffect, useState } from 'preact/hooks'
import type { List, RequestView, ScenarioList, WorldView } from '../../kits/views.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Scroll } from '../parts/table.tsx'
import { useFetched } from '../parts/use-fetched.ts'
import { searchRequests } from '../requests/rows.ts'
import { keys, otherKeys } from '../shell/keys.ts'
import { about, control } from '../store/api.ts'
import { closeDialog } from '../store/dialogs.ts'
import { readFailures } from '../store/failures.ts'
import { commands, foundCommands, type Offers, requestCommand } from './commands.ts'
import { type Command, matching } from './match.ts'

const most = 40
const nothing: Offers = { scenarios: { available: [], active: [] }, worlds: [] }

/** Finds a page, a task or an action by a few letters, and goes there or does it. */
export function Palette() {
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState(0)
  const { value: offers } = useFetched(readOffers, [])
  useEffect(() => void readFailures(), [])
  const { value: requests } = useFetched(() => findRequests(search.trim()), [search])
  const all = commands(offers ?? nothing)
  const found =
    search.trim().length < 2
      ? matching(all, search, most)
      : [...matching([...all, ...foundCommands()], search, most), ...(requests ?? []).map(requestCommand)]
  const act = (command: Command | undefined) => {
    if (!command) return
    closeDialog()
    command.act()
  }
  const move = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by !== undefined && found.length > 0) {
      event.preventDefault()
      setChosen((chosen + by + found.length) % found.length)
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      act(found[chosen])
    }
  }
  return (
    <Dialog title="Do anything" close={closeDialog}>
      <div class="palette-search">
        <input
          class="field"
          type="text"
          role="combobox"
          aria-label="Find a page, a task or an action"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={found[chosen] ? `palette-${chosen}` : undefined}
          placeholder="A page, a task or an action"
          value={search}
          autofocus
          onKeyDown={move}
          onInput={event => {
            setSearch(event.currentTarget.value)
            setChosen(0)
          }}
        />
      </div>
      <div class="palette-list" id="palette-list" role="listbox" aria-label="What can be done">
        {found.map((command, i) => (
          <Row
            key={`${command.group} ${command.title}`}
            command={command}
            id={`palette-${i}`}
            isChosen={i === chosen}
            act={() => act(command)}
          />
        ))}
      </div>
      {found.length === 0 && <p class="quiet palette-none">Nothing matches.</p>}
    </Dialog>
  )
}

interface RowProps {
  command: Command
  id: string
  isChosen: boolean
  act: () => void
}

function Row({ command: { group, title }, id, isChosen, act }: RowProps) {
  useEffect(() => {
    if (isChosen) document.getElementById(id)?.scrollIntoView({ block: 'nearest' })
  }, [isChosen, id])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus, and its keys choose.
    // biome-ignore lint/a11y/useFocusableInteractive: the field above keeps the focus.
    <div class="palette-row" role="option" id={id} aria-selected={isChosen} onClick={act}>
      <span class="small quiet">{group}</span>
      <span class="cut">{title}</span>
    </div>
  )
}

const mostRequests = 8

/** The newest requests that contain the words; none for less than three letters. */
async function findRequests(search: string): Promise<readonly RequestView[]> {
  if (search.length < 3) return []
  return [...(await searchRequests(search, { limit: mostRequests }))].reverse()
}

async function readOffers(): Promise<Offers> {
  const [scenarios, worlds] = await Promise.all([
    control<ScenarioList>('GET', '/scenarios'),
    about<List<WorldView>>('GET', '/worlds'),
  ])
  return { scenarios, worlds: worlds.items.slice(0, 200) }
}

/** The list of keys. */
export function Keys() {
  const own = keys.map(({ key, shown, does }) => ({ shown: shown ?? key, does }))
  return (
    <Dialog title="Keys" close={closeDialog}>
      <Scroll label="All keys" look="keys">
        <dl>
          {[...otherKeys.slice(0, 1), ...own, ...otherKeys.slice(1)].map(({ shown, does }) => (
            <div key={shown}>
              <dt>
                {shown.split(' ').map(one => (
                  <kbd key={one}>{one}</kbd>
                ))}
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
      </Scroll>
    </Dialog>
  )
}
