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
      <select
        id={id}
        class="field"
        value={String(value)}
        onChange={event => set(optionOf(options, event.currentTarget.value))}
      >
        {!options.map(String).includes(String(value)) && (
          <option value={String(value)}>{String(value)}</option>
        )}
        {options.map(option => (
          <option key={option} value={String(option)}>
            {option}
          </option>
        ))}
      </select>
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

function optionOf(options: readonly (string | number)[], text: string): string | number {
  return options.find(option => String(option) === text) ?? text
}
