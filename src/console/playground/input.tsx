import { Offers, Select } from '../parts/fields.tsx'
import { parsed } from '../store/api.ts'
import type { Schema } from '../store/operations.ts'
import { offers, typeOf } from './body.ts'

interface InputProps {
  id: string
  name: string
  schema: Schema
  value: unknown
  isLong: boolean
  set: (value: unknown) => void
}

/** The input of a field of one value, by its type; what has no input of its own is written as JSON. */
export function Input({ id, name, schema, value, isLong, set }: InputProps) {
  const type = typeOf(schema)
  // Text that is not JSON is sent as a string.
  if (type === 'array' || type === 'any')
    return (
      <input
        id={id}
        class="field mono"
        value={typeof value === 'string' ? value : JSON.stringify(value)}
        onInput={event => set(parsed(event.currentTarget.value))}
      />
    )
  if (type === 'boolean')
    return (
      <input
        id={id}
        type="checkbox"
        role="switch"
        class="switch"
        checked={value === true}
        onChange={event => set(event.currentTarget.checked)}
      />
    )
  const listed = schema.enum ?? offers(schema)
  if (listed.length > 0) return <Choices id={id} name={name} options={listed} value={value ?? ''} set={set} />
  if (type === 'number')
    return (
      <input
        id={id}
        class="field"
        type="number"
        value={String(value ?? '')}
        // Null counts as not sent, and keeps the field in the form while another number is typed.
        onInput={({ currentTarget: { value: text } }) => set(text === '' ? null : Number(text))}
      />
    )
  if (isLong)
    return (
      <textarea
        id={id}
        class="field"
        rows={3}
        value={String(value ?? '')}
        onInput={event => set(event.currentTarget.value)}
      />
    )
  const words = schema['x-models'] ?? []
  return (
    <>
      <input
        id={id}
        class="field"
        list={words.length > 0 ? `${id}-words` : undefined}
        value={String(value ?? '')}
        onInput={event => set(event.currentTarget.value)}
      />
      {words.length > 0 && <Offers id={`${id}-words`} words={words} />}
    </>
  )
}

interface Props {
  id: string
  name: string
  options: readonly (string | number)[]
  value: unknown
  set: (value: string | number) => void
}

/** Labels that are longer together do not fit into a row. */
const mostCharacters = 64

/** The values of an enumeration: in a row when they fit, else as a drop-down list. */
function Choices({ id, name, options, value, set }: Props) {
  const isShort = options.join('').length + options.length * 3 <= mostCharacters
  if (!isShort)
    return (
      <Select
        id={id}
        value={String(value)}
        options={[...new Set([String(value), ...options.map(String)])]}
        choose={text => set(options.find(option => String(option) === text) ?? text)}
      />
    )
  return (
    <div class="choices" role="radiogroup" aria-label={name} id={id}>
      {options.map(option => (
        <label key={option}>
          <input
            class="unseen"
            type="radio"
            name={id}
            checked={String(option) === String(value)}
            onChange={() => set(option)}
          />
          <span>{option}</span>
        </label>
      ))}
    </div>
  )
}
