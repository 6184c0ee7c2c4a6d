import { packageVersion } from '../../package/files.ts'
import { migrations, type RecordRules } from '../../worlds/database.ts'
import type { WorldValues } from '../../worlds/world.ts'
import { controlErrorOf } from '../control-error.ts'
import { nameFault, recordFault } from './record-fault.ts'

/**
 * The rules for opening a data directory: each record is checked and migrated as `PUT /state` does. `isOffered`: whether every
 * world of this emulator knows a scenario.
 */
export function recordRules(isOffered: (name: string) => boolean): RecordRules<WorldValues> {
  return {
    program: packageVersion(),
    migrations,
    faultOf: record => controlErrorOf(recordFault(record))?.message,
    faultOfAll(data) {
      for (const [id, { head, scenarios, snapshots }] of data.worlds) {
        const first = head.get('')
        if (!first)
          return `holds records of the world "${id}", but no line with its head, so its clock and seed are unknown. Nothing was changed; put back a good copy of the directory, or start with another one.`
        const states = [...snapshots.values()].map(({ state }) => state)
        const fault = [{ head: first, scenarios }, ...states]
          .map(state => nameFault(state.head, state.scenarios, isOffered))
          .find(found => found !== undefined)
        if (fault)
          return `holds a record that does not fit this start, the head of the world "${id}": ${fault.message}. Nothing was changed; start with the same --scenario files as before, or with another directory.`
      }
      return undefined
    },
  }
}
