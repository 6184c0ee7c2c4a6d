import { useId } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import type { Path } from '../parts/path.ts'
import { parsed } from '../store/api.ts'
import type { Schema } from '../store/operations.ts'
import { mediaKind } from './body.ts'
import { RefusalNote, useRefusal } from './refusal-note.tsx'
import { SamplePicker } from './sample-picker.tsx'

/** The properties of a field of the form. */
export interface FieldProps {
  schema: Schema
  value: unknown
  path: Path
  /** The names on the path and the types of its items: they show what kind of file a field takes. */
  names: readonly string[]
  isRequired: boolean
  set: (path: Path, value: unknown) => void
}

/** A field for other values, written as JSON. Text that is not JSON is sent as a string. */
export function JsonField({ schema, value, path, isRequired, set }: FieldProps) {
  const id = useId()
  const refusal = useRefusal(path)
  return (
    <div class={`simple${refusal ? ' refused' : ''}`}>
      <div class="row field-head">
        <label for={id} class="field-name mono">
          {String(path.at(-1))}
        </label>
        {!isRequired && <Drop path={path} set={set} />}
      </div>
      <input
        id={id}
        class="field mono"
        value={typeof value === 'string' ? value : JSON.stringify(value)}
        onInput={event => set(path, parsed(event.currentTarget.value))}
      />
      {refusal && <RefusalNote refusal={refusal} schema={schema} />}
      {mediaKind(path.map(String)) && (
        <SamplePicker kind="image" value={value} pick={url => set(path, url)} />
      )}
      {schema.description && <p class="small quiet hint">{schema.description}</p>}
    </div>
  )
}

export function Drop({ path, set }: Pick<FieldProps, 'path' | 'set'>) {
  return (
    <Button
      look="plain small"
      icon="cross"
      label={`Remove ${path.at(-1)}`}
      title="Remove the field"
      act={() => set(path, undefined)}
    />
  )
}
