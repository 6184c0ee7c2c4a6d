import { useId } from 'preact/hooks'
import type { Parameter } from './document.ts'
import { Prose } from './prose.tsx'
import { typeText } from './schema-view.tsx'

interface Props {
  parameter: Parameter
  value: string
  set: (value: string) => void
}

/** A parameter of path, query or header; a list of values is a choice. */
export function ParameterField({ parameter, value, set }: Props) {
  const id = useId()
  const { name, in: place, required, schema } = parameter
  return (
    <div class="simple">
      <label for={id}>
        <span class="field-name mono">{name}</span>{' '}
        <span class="small quiet">
          {place}, {typeText(schema)}
        </span>
        {required && <span class="tag needed">required</span>}
      </label>
      {schema.enum ? (
        <select id={id} class="field" value={value} onChange={event => set(event.currentTarget.value)}>
          <option value="">not sent</option>
          {schema.enum.map(option => (
            <option key={option} value={String(option)}>
              {option}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          class="field mono"
          value={value}
          required={required}
          placeholder={required ? '' : 'not sent'}
          onInput={event => set(event.currentTarget.value)}
        />
      )}
      {schema.description && (
        <p class="small quiet hint">
          <Prose text={schema.description} />
        </p>
      )}
    </div>
  )
}
