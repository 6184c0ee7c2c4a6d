import { textOf } from '../playground/draft.ts'
import { keyOf } from '../store/accounts.ts'
import { control } from '../store/api.ts'
import { readClock } from '../store/clock.ts'
import { report } from '../store/notices.ts'
import { type DocOperation, documents } from './document.ts'
import { makerFor, neededState } from './suggest.ts'
import { callOf, fieldOf, send, type Values } from './try-call.ts'

interface Props {
  operation: DocOperation
  values: Values
  set: (values: Values) => void
}

/** A button that makes what the operation needs, from an example, when nothing fits. */
export function Make({ operation, values, set }: Props) {
  const needed = makerFor(operation)
  const operations = documents.value.flatMap(({ groups }) => groups.flatMap(group => group.operations))
  const maker = operations.find(({ key }) => key === needed?.key)
  if (!needed || !maker || values[fieldOf(needed.parameter)] !== '') return null
  const make = () =>
    report(async () => {
      const id = await madeBy(maker)
      if (neededState(operation) === 'succeeded') {
        await control('POST', '/clock/advance', { until: { task: id, status: 'succeeded' } })
        await readClock()
      }
      set({ [fieldOf(needed.parameter)]: id })
    })
  return (
    <p class="remark tone-expired row">
      <span class="grow">This needs the id of {needed.what}.</span>
      <button type="button" class="button small" onClick={() => void make()}>
        Make one
      </button>
    </p>
  )
}

/** Sends the example of an operation and gives the id of what it made. Throws when it was refused. */
async function madeBy(maker: DocOperation): Promise<string> {
  const values = Object.fromEntries(maker.parameters.map(one => [fieldOf(one), one.example ?? '']))
  const text = textOf(maker.examples[0]?.value)
  const { status, body } = await send(callOf(maker, values, { key: keyOf('default'), text }))
  const id = idIn(body)
  if (status >= 400 || id === undefined) throw new Error(`${maker.key} answered ${status}`)
  return id
}

/** The id in a reply, in the place where its family has it. */
function idIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const { id, task_id, output, data } = body as Record<string, unknown>
  const own = task_id ?? id
  return typeof own === 'string' ? own : (idIn(output) ?? idIn(data))
}
