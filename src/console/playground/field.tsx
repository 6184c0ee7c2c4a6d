import { useId } from 'preact/hooks'
import { Icon } from '../parts/icons.tsx'
import type { Schema } from '../store/operations.ts'
import { blank, isForbidden, itemOf, mediaKind, offers, plain, typeOf } from './body.ts'
import { Drop, type FieldProps, JsonField } from './json-field.tsx'
import { PromptTags } from './prompt-tags.tsx'
import { SamplePicker } from './sample-picker.tsx'

/** A form field for whatever a schema says. */
function Field(props: FieldProps) {
  const schema = plain(props.schema)
  switch (typeOf(schema)) {
    case 'object':
      return <Group {...props} schema={schema} />
    case 'array':
      return schema.items && typeOf(schema.items) === 'object' ? (
        <Items {...props} schema={schema} />
      ) : (
        <JsonField {...props} schema={schema} />
      )
    case 'any':
      return <JsonField {...props} schema={schema} />
    case 'boolean':
    case 'number':
    case 'string':
      return <Simple {...props} schema={schema} />
  }
}

/** The fields of an object: those that are sent, and a choice of those that could be. */
export function Fields({ schema, value, path, names, set }: Omit<FieldProps, 'isRequired'>) {
  const given = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  const known = Object.entries(schema.properties ?? {}).filter(([, property]) => !isForbidden(property))
  const isNeeded = (name: string) => schema.required?.includes(name) ?? false
  const sent = known.filter(([name]) => given[name] !== undefined || isNeeded(name))
  const open = known.filter(([name]) => given[name] === undefined && !isNeeded(name))
  const type = typeof given.type === 'string' ? [given.type] : []
  return (
    <>
      {sent.map(([name, property]) => (
        <Field
          key={name}
          schema={property}
          value={given[name]}
          path={[...path, name]}
          names={[...names, ...type, name]}
          isRequired={isNeeded(name)}
          set={set}
        />
      ))}
      {open.length > 0 && (
        <select
          class="field add"
          aria-label={`Add a field${path.length === 0 ? '' : ` to ${path.join(' ')}`}`}
          value=""
          onChange={({ currentTarget }) => {
            const property = schema.properties?.[currentTarget.value]
            if (property) set([...path, currentTarget.value], blank(property))
          }}
        >
          <option value="">+ field</option>
          {open.map(([name]) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      )}
    </>
  )
}

function Group(props: FieldProps) {
  return (
    <fieldset class="group-field">
      <Legend {...props} />
      <Fields {...props} />
    </fieldset>
  )
}

function Items({ schema, value, path, names, set, isRequired }: FieldProps) {
  const items = schema.items ?? {}
  const list: unknown[] = Array.isArray(value) ? value : []
  const types = offers(items.properties?.type ?? {})
  const add = (item: unknown) => set([...path, list.length], item)
  return (
    <fieldset class="group-field">
      <Legend schema={schema} path={path} set={set} isRequired={isRequired} />
      {list.map((item, i) => (
        <div key={i} class="item">
          <Fields schema={items} value={item} path={[...path, i]} names={names} set={set} />
          <button
            type="button"
            class="button plain small icon drop"
            aria-label={`Take item ${i + 1} away`}
            onClick={() => set([...path, i], undefined)}
          >
            <Icon name="cross" />
          </button>
        </div>
      ))}
      <div class="row">
        {types.length === 0 && (
          <button type="button" class="button small" onClick={() => add(blank(items))}>
            + item
          </button>
        )}
        {types.map(type => (
          <button key={type} type="button" class="button small" onClick={() => add(itemOf(items, type))}>
            + {type}
          </button>
        ))}
      </div>
    </fieldset>
  )
}

function Legend({
  schema,
  path,
  set,
  isRequired,
}: Pick<FieldProps, 'schema' | 'path' | 'set' | 'isRequired'>) {
  return (
    <legend>
      <span class="field-name mono">{String(path.at(-1))}</span>
      {!isRequired && <Drop path={path} set={set} />}
      {schema.description && <span class="small quiet"> {schema.description}</span>}
    </legend>
  )
}

function Simple({ schema, value, path, names, isRequired, set }: FieldProps) {
  const id = useId()
  const name = String(path.at(-1))
  const kind = mediaKind(names)
  const isPrompt = /^(text|prompt)$/.test(name)
  return (
    <div class="simple">
      <div class="row field-head">
        <label for={id} class="field-name mono">
          {name}
        </label>
        {!isRequired && <Drop path={path} set={set} />}
      </div>
      <Input id={id} schema={schema} value={value} isLong={isPrompt} set={next => set(path, next)} />
      {kind && <SamplePicker kind={kind} pick={url => set(path, url)} />}
      {isPrompt && <PromptTags add={tag => set(path, `${String(value ?? '')} ${tag}`.trim())} />}
      {schema.description && <p class="small quiet hint">{schema.description}</p>}
    </div>
  )
}

interface InputProps {
  id: string
  schema: Schema
  value: unknown
  isLong: boolean
  set: (value: unknown) => void
}

function Input({ id, schema, value, isLong, set }: InputProps) {
  const type = typeOf(schema)
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
  if (schema.enum)
    return (
      <select id={id} class="field" value={String(value)} onChange={event => set(event.currentTarget.value)}>
        {schema.enum.map(option => (
          <option key={option} value={String(option)}>
            {option}
          </option>
        ))}
      </select>
    )
  if (type === 'number')
    return (
      <input
        id={id}
        class="field"
        type="number"
        value={String(value ?? '')}
        onInput={({ currentTarget: { value: text } }) => set(text === '' ? undefined : Number(text))}
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
  const words = [...(schema.description?.match(/model_\w+/g) ?? offers(schema))]
  return (
    <>
      <input
        id={id}
        class="field"
        list={words.length > 0 ? `${id}-words` : undefined}
        value={String(value ?? '')}
        onInput={event => set(event.currentTarget.value)}
      />
      {words.length > 0 && (
        <datalist id={`${id}-words`}>
          {words.map(word => (
            <option key={word} value={word} />
          ))}
        </datalist>
      )}
    </>
  )
}
