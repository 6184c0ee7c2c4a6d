import type { RequestView, ScenarioList, WorldView } from '../../kits/views.ts'
import { type Breakage, breakageText, lastCreate, searchTextOf } from '../breaking/breakage.ts'
import { copy } from '../parts/copy-button.tsx'
import { span } from '../parts/format.ts'
import { toggle } from '../scenarios/listing.ts'
import { type PageName, pageTitles } from '../shell/page-names.ts'
import { switchTheme } from '../shell/theme-button.tsx'
import { keyOf } from '../store/accounts.ts'
import { address, go, openWorld, world } from '../store/address.ts'
import { isPlaying } from '../store/clock.ts'
import { moveBy, playOrPause, step, steps, untilEnd, untilIdle } from '../store/clock-moves.ts'
import { dialog } from '../store/dialogs.ts'
import { breakNext, failures } from '../store/failures.ts'
import { notify } from '../store/notices.ts'
import { entries } from '../store/requests.ts'
import { byId, tasks } from '../store/tasks.ts'
import type { Command } from './match.ts'

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
