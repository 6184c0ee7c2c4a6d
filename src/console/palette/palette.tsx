import './palette.css'
import { useEffect, useState } from 'preact/hooks'
import type { List, RequestView, ScenarioList, WorldView } from '../../kits/views.ts'
import { type Breakage, breakageText, lastCreate, searchTextOf } from '../breaking/breakage.ts'
import { copy } from '../parts/copy-button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { span } from '../parts/format.ts'
import { Scroll } from '../parts/table.tsx'
import { useFetched } from '../parts/use-fetched.ts'
import { searchRequests } from '../requests/rows.ts'
import { toggle } from '../scenarios/listing.ts'
import { keys, otherKeys } from '../shell/keys.ts'
import { type PageName, pageTitles } from '../shell/page-names.ts'
import { switchTheme } from '../shell/theme-button.tsx'
import { keyOf } from '../store/accounts.ts'
import { address, go, openWorld, world } from '../store/address.ts'
import { about, control } from '../store/api.ts'
import { isPlaying } from '../store/clock.ts'
import { moveBy, playOrPause, step, steps, untilEnd, untilIdle } from '../store/clock-moves.ts'
import { closeDialog, dialog } from '../store/dialogs.ts'
import { breakNext, failures, readFailures } from '../store/failures.ts'
import { notify } from '../store/notices.ts'
import { entries } from '../store/requests.ts'
import { byId, tasks } from '../store/tasks.ts'
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

/** What the palette reads when it opens. */
export interface Offers {
  scenarios: ScenarioList
  worlds: readonly WorldView[]
}

const panels = ['worlds', 'accounts', 'ledger', 'assets', 'snapshots', 'findings']

/** All commands that are possible now. */
export function commands({ scenarios, worlds }: Offers): Command[] {
  return [
    ...(Object.keys(pageTitles) as PageName[]).map(name =>
      command('Go to', pageTitles[name], () => go(name)),
    ),
    ...panels.map(name => command('Go to', `World: ${name}`, () => go('world', name))),
    command('Go to', 'Guide', () => location.assign('guide')),
    ...clockCommands(),
    command('Break', 'Break the next one …', () => {
      dialog.value = { kind: 'break' }
    }),
    ...scenarioCommands(scenarios),
    ...worlds
      .filter(({ id }) => id !== world)
      .map(({ id }) => command('World', `Open the world ${id}`, () => openWorld(id))),
    command('World', 'Open a new world …', () => {
      dialog.value = { kind: 'world' }
    }),
    command('Copy', 'Copy this world’s key', () => void copyText(keyOf('default'), 'key')),
    command('Copy', 'Copy the base address', () => void copyText(location.origin, 'address')),
    command('Looks', 'Switch colours', switchTheme),
    command('Help', 'Show the keys', () => {
      dialog.value = { kind: 'keys' }
    }),
  ]
}

/** Commands that appear only for a search: tasks, and failures of the last create. Requests are found by the emulator. */
export function foundCommands(): Command[] {
  const operation = lastCreate(entries.value)
  return [
    ...tasks.value.map(({ id, prompt, kind }) =>
      command('Task', `${prompt === '' ? 'no prompt' : prompt} (${kind}, ${id})`, () => go('tasks', id)),
    ),
    ...failures.value.filter(one => one.operation === operation).map(failureCommand),
  ]
}

/** Opens a request. */
export function requestCommand({ id, operation, status, request_id }: RequestView): Command {
  return command('Request', `${status} ${operation}, number ${id}, ${request_id}`, () =>
    go('requests', String(id)),
  )
}

function failureCommand(failure: Breakage): Command {
  const title = `Break the next ${failure.operation}: ${breakageText(failure)}`
  return { ...command('Break', title, () => void breakNext(failure)), also: searchTextOf(failure) }
}

function clockCommands(): Command[] {
  const { page, item = '' } = address.value
  const task = page === 'tasks' ? byId.value.get(item) : undefined
  return [
    command('Clock', isPlaying.value ? 'Pause the clock' : 'Run the clock', () => void playOrPause()),
    command('Clock', 'Advance to the next change', () => void step()),
    ...steps.map(({ ms }) => command('Clock', `Advance by ${span(ms)}`, () => void moveBy(ms))),
    command('Clock', 'Advance until idle', () => void untilIdle()),
    ...(task ? [command('Clock', 'Advance until this task is done', () => void untilEnd(task))] : []),
  ]
}

function scenarioCommands({ available, active }: ScenarioList): Command[] {
  return available.map(({ name }) => {
    const isActive = active.includes(name)
    const title = `${isActive ? 'Switch off' : 'Switch on'}: ${name}`
    return command('Scenario', title, () => void toggle(name, isActive ? 'off' : 'on'))
  })
}

async function copyText(text: string, what: string): Promise<void> {
  if (await copy(text)) notify('done', `Copied the ${what}: ${text}`)
}

function command(group: string, title: string, act: () => void): Command {
  return { group, title, act }
}
