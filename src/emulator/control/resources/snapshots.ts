import type { SnapshotView } from '../../../kits/views.ts'
import type { Services } from '../../pipeline/endpoint.ts'
import { announceNow } from '../../tasks/advance.ts'
import { iso } from '../../worlds/clock.ts'
import { freeze, thaw } from '../../worlds/frozen-state.ts'
import { snapshotName } from '../../worlds/record-values.ts'
import { nowIn, put, remove, type Snapshot, type World } from '../../worlds/world.ts'
import { closed, done, endpoints, listed } from '../control-endpoint.ts'
import { conflict, notFound } from '../control-error.ts'
import { offerUndo, undoQuery, undoTo } from './undo.ts'

/** On disk a snapshot is one record; with more tasks its text would be longer than the longest possible string. */
const mostTasksOnDisk = 200_000

/** Named copies of a world's state, which can be restored any number of times. */
export const snapshotEndpoints = endpoints({
  'GET /snapshots': {
    summary: 'Snapshots of this world, oldest first',
    handle: ({ world }) => listed([...world.state.snapshots.values()].map(snapshotView)),
  },
  'POST /snapshots': {
    opens: true,
    example: { body: { name: 'ready' } },
    summary: 'Store the state of the world under a name; replaces a snapshot of that name',
    body: closed({ name: snapshotName }, ['name']),
    handle({ world, services, body }) {
      const { name } = body as { name: string }
      checkSize(world, services)
      const snapshot = take(world, name)
      // A replaced snapshot is now the newest one, so it moves to the end of the list.
      remove(world, 'snapshots', name)
      put(world, 'snapshots', name, snapshot)
      return done(snapshotView(snapshot), 201)
    },
  },
  'POST /snapshots/:name/restore': {
    example: { params: { name: 'ready' } },
    summary: 'Restore the world to the state in a snapshot',
    query: undoQuery,
    body: { type: 'object' },
    bodyOptional: true,
    handle(call) {
      const snapshot = named(call.world, call.params.name)
      const undo = offerUndo(call, () => undoTo(call))
      restore(call.world, snapshot)
      return done({ ...snapshotView(snapshot), ...undo })
    },
  },
  'DELETE /snapshots/:name': {
    example: { params: { name: 'ready' } },
    summary: 'Delete a snapshot',
    query: undoQuery,
    handle(call) {
      const { world } = call
      const snapshot = named(world, call.params.name)
      const undo = offerUndo(call, () => () => put(world, 'snapshots', snapshot.name, snapshot))
      remove(world, 'snapshots', snapshot.name)
      return done(undo)
    },
  },
})

function take(world: World, name: string): Snapshot {
  const { boots } = world.state.head
  return {
    name,
    at: nowIn(world),
    state: freeze(world),
    journal: { boots, lastId: world.journal.lastId },
  }
}

/** The journal is cut back too: later entries have not happened in the restored world. */
function restore(world: World, { state, journal }: Snapshot): void {
  const isOfThisRun = journal.boots === world.state.head.boots
  announceNow(world)
  thaw(world, state)
  if (isOfThisRun) world.journal.forgetAfter(journal.lastId)
  else world.journal.clear()
}

function named(world: World, name = ''): Snapshot {
  const snapshot = world.state.snapshots.get(name)
  if (!snapshot) throw notFound(`The snapshot ${name}`)
  return snapshot
}

function checkSize(world: World, { options }: Pick<Services, 'options'>): void {
  const { size } = world.state.tasks
  if (options.data === undefined || size <= mostTasksOnDisk) return
  throw conflict(`The world has ${size} tasks; with --data a snapshot holds at most ${mostTasksOnDisk}`)
}

/** A snapshot in a reply of the control API. */
function snapshotView({ name, at, state: { head, tasks, accounts, assets } }: Snapshot): SnapshotView {
  const { mode, rate } = head.clock
  return {
    name,
    now: iso(at),
    now_ms: at,
    clock: { mode, rate },
    tasks: tasks.length,
    accounts: accounts.length,
    assets: assets.length,
    scenarios: head.active.map(active => active.name),
  }
}
