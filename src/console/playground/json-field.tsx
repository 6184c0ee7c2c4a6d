import { useId } from 'preact/hooks'
import { Icon } from '../parts/icons.tsx'
import type { Path } from '../parts/path.ts'
import { parsed } from '../store/api.ts'
import type { Schema } from '../store/operations.ts'
import { mediaKind } from './body.ts'
import { RefusalNote, useRefusal } from './refusal-note.tsx'
import { SamplePicker } from './sample-picker.tsx'

/** What a field of the playground's form is made from. */
export interface FieldProps {
  schema: Schema
  value: unknown
  path: Path
  /** Names that tell what a file field is for: those of the path, and the types of the items on the way. */
  names: readonly string[]
  isRequired: boolean
  set: (path: Path, value: unknown) => void
}

/** What no simple field can hold is typed as JSON; what is not JSON yet is a text. */
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
    <button
      type="button"
      class="button plain small icon"
      aria-label={`Leave ${path.at(-1)} out`}
      title="Leave it out"
      onClick={() => set(path, undefined)}
    >
      <Icon name="cross" />
    </button>
  )
}
