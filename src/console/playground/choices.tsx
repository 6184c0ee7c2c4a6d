import { Select } from '../parts/fields.tsx'

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
export function Choices({ id, name, options, value, set }: Props) {
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
