import './playground.css'
import { useEffect } from 'preact/hooks'
import { NoSuchPage, Reading } from '../parts/empty.tsx'
import { groupsOf } from '../parts/lists.ts'
import { go } from '../store/address.ts'
import { isStale } from '../store/connection.ts'
import { report } from '../store/notices.ts'
import { creates, familyTitle, type Operation } from '../store/operations.ts'
import { Composer } from './composer.tsx'
import { examples, readOffers } from './samples.ts'

/** Forms for every create, made from the schemas that check it. */
export function PlaygroundPage({ item }: { item: string | undefined }) {
  useEffect(() => {
    if (!isStale.value) void report(readOffers)
  }, [isStale.value])
  const list = creates()
  const operation = item === undefined ? list[0] : list.find(({ id }) => id === item)
  if (list.length > 0 && !operation)
    return (
      <NoSuchPage what={`create operation “${item}”`} page="playground">
        The playground
      </NoSuchPage>
    )
  if (!operation || examples.value.length === 0) return <Reading what="the operations" />
  return (
    <div class="page playground">
      <div class="page-title row spread">
        <h1>Playground</h1>
        <Chooser list={list} chosen={operation} />
      </div>
      <Composer key={operation.id} operation={operation} />
    </div>
  )
}

function Chooser({ list, chosen }: { list: readonly Operation[]; chosen: Operation }) {
  return (
    <select
      class="field choose-operation"
      aria-label="Operation"
      value={chosen.id}
      onChange={event => go('playground', event.currentTarget.value)}
    >
      {[...groupsOf(list, ({ group }) => group)].map(([family, operations]) => (
        <optgroup key={family} label={familyTitle(family)}>
          {operations.map(({ id, summary, 'x-beyond-specification': isBeyond }) => (
            <option key={id} value={id}>
              {id}: {summary}
              {isBeyond && ' (upstream only)'}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  )
}
