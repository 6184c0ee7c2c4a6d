import { useContext, useEffect, useId, useRef } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { Select } from '../parts/fields.tsx'
import { type Path, pathText } from '../parts/path.ts'
import { RuleNames } from '../requests/status-pill.tsx'
import type { Schema } from '../store/operations.ts'
import { blank, itemOf, mediaKind, offers, plain, typeOf } from './body.ts'
import { Input } from './input.tsx'
import { Refused, type ShownRefusal } from './refusal.ts'
import { assets, promptTags, type Sample, samples } from './samples.ts'

interface FieldProps {
  schema: Schema
  value: unknown
  path: Path
  /** The names on the path and the types of its items: they show what kind of file a field takes. */
  names: readonly string[]
  isRequired: boolean
  set: (path: Path, value: unknown) => void
}

/** A form field for any schema. */
function Field(props: FieldProps) {
  const schema = plain(props.schema)
  const type = typeOf(schema)
  if (type === 'object') return <Group {...props} schema={schema} />
  if (type === 'array' && schema.items && typeOf(schema.items) === 'object')
    return <Items {...props} schema={schema} />
  return <Simple {...props} schema={schema} />
}

/** The fields that come first: the prompt, and the objects and lists that contain it. */
const first = ['prompt', 'text', 'input', 'content', 'contents', 'model']

function rankOf(name: string): number {
  const rank = first.indexOf(name)
  return rank < 0 ? first.length : rank
}

/** Fields that examples fill in and that are seldom changed. */
const seldom =
  /^(type|watermark|watermark_info|external_task_id|service_tier|priority|safety_identifier|execution_expires_after|options)$/

/** The fields of an object: those that are sent, and a list of those that can be added. */
export function Fields({ schema, value, path, names, set }: Omit<FieldProps, 'isRequired'>) {
  const given = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  const known = Object.entries(schema.properties ?? {}).filter(([, property]) => !property['x-refused'])
  const isNeeded = (name: string) => schema.required?.includes(name) ?? false
  const sent = known
    .filter(([name]) => given[name] !== undefined || isNeeded(name))
    .sort(([a], [b]) => rankOf(a) - rankOf(b))
  const refusal = useContext(Refused)
  const isOpen = (name: string) => refusal?.param?.startsWith(pathText([...path, name])) ?? false
  const folded = sent.filter(([name]) => seldom.test(name) && !isOpen(name))
  const open = known.filter(([name]) => given[name] === undefined && !isNeeded(name))
  const type = typeof given.type === 'string' ? [given.type] : []
  const field = ([name, property]: [string, Schema]) => (
    <Field
      key={name}
      schema={property}
      value={given[name]}
      path={[...path, name]}
      names={[...names, ...type, name]}
      isRequired={isNeeded(name)}
      set={set}
    />
  )
  return (
    <>
      {sent.filter(one => !folded.includes(one)).map(field)}
      {folded.length > 0 && (
        <details class="folded">
          <summary class="small quiet">
            {folded.map(([name]) => `${name}: ${JSON.stringify(given[name])}`).join(', ')}
          </summary>
          <div class="form-part stack">{folded.map(field)}</div>
        </details>
      )}
      {open.length > 0 && (
        <Select
          look="add"
          label={`Add a field${path.length === 0 ? '' : ` to ${path.join(' ')}`}`}
          value=""
          options={[['', '+ field'], ...open.map(([name]) => name)]}
          choose={name => {
            const property = schema.properties?.[name]
            if (property) set([...path, name], blank(property))
          }}
        />
      )}
    </>
  )
}

function Group(props: FieldProps) {
  return (
    <fieldset class="group-field stack">
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
    <fieldset class="group-field stack">
      <Legend schema={schema} path={path} set={set} isRequired={isRequired} />
      {list.map((item, i) => (
        <div key={i} class="item stack">
          <Fields schema={items} value={item} path={[...path, i]} names={names} set={set} />
          <Button
            look="plain small drop"
            icon="cross"
            label={`Remove item ${i + 1}`}
            act={() => set([...path, i], undefined)}
          />
        </div>
      ))}
      <div class="row">
        {types.length === 0 && (
          <Button look="small" act={() => add(blank(items))}>
            + item
          </Button>
        )}
        {types.map(type => (
          <Button look="small" key={type} act={() => add(itemOf(items, type))}>
            + {type}
          </Button>
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
  const refusal = useRefusal(path)
  return (
    <>
      <legend>
        <span class="field-name mono">{String(path.at(-1))}</span>
        {!isRequired && <Drop path={path} set={set} />}
        {schema.description && <span class="small quiet"> {schema.description}</span>}
      </legend>
      {refusal && <RefusalNote refusal={refusal} />}
    </>
  )
}

function Simple({ schema, value, path, names, isRequired, set }: FieldProps) {
  const id = useId()
  const name = String(path.at(-1))
  const kind = mediaKind(names)
  const isPrompt = /^(text|prompt)$/.test(name)
  const refusal = useRefusal(path)
  return (
    <div class={`simple${refusal ? ' refused' : ''}`}>
      <div class="row field-head">
        <label for={id} class="field-name mono">
          {name}
        </label>
        {!isRequired && <Drop path={path} set={set} />}
      </div>
      <Input
        id={id}
        name={name}
        schema={schema}
        value={value}
        isLong={isPrompt}
        set={next => set(path, next)}
      />
      {refusal && <RefusalNote refusal={refusal} />}
      {kind && <SamplePicker kind={kind} value={value} pick={url => set(path, url)} />}
      {isPrompt && <PromptTags add={tag => set(path, `${String(value ?? '')} ${tag}`.trim())} />}
      {schema.description && <p class="small quiet hint">{schema.description}</p>}
    </div>
  )
}

function Drop({ path, set }: Pick<FieldProps, 'path' | 'set'>) {
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

/** The refusal, when it is about the field at a path. */
function useRefusal(path: Path): ShownRefusal | undefined {
  const refusal = useContext(Refused)
  return refusal?.param !== undefined && refusal.param === pathText(path) ? refusal : undefined
}

/** The note beside a refused field: what the reply said, the rule, and the assumptions of the emulator. */
function RefusalNote({ refusal: { status, said, rule, assumptions } }: { refusal: ShownRefusal }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.scrollIntoView({ block: 'center' }), [said])
  return (
    <div class="refusal tone-failed" ref={box}>
      <p>
        <strong>{status}:</strong> {said}
      </p>
      {rule !== undefined && (
        <p class="small">
          Refused by the rule <RuleNames rule={rule} />.
        </p>
      )}
      {assumptions.map(({ id, question, answer }) => (
        <details key={id} class="small">
          <summary>
            Assumption {id}: {question}
          </summary>
          {answer} <a href="guide/fidelity#assumed">All assumptions</a>
        </details>
      ))}
    </div>
  )
}

interface Props {
  kind: Sample['kind'] | 'any'
  value: unknown
  pick: (url: string) => void
}

/** Small real files and the world's assets to use as an input, each with a picture of it. */
function SamplePicker({ kind, value, pick }: Props) {
  const fits = (one: { kind: Sample['kind'] }) => kind === 'any' || one.kind === kind
  const own = assets.value.filter(fits).map(asset => ({
    name: asset.reference,
    label: `Use the asset ${asset.reference}`,
    about: asset.certified_person ? 'An asset that shows a certified person' : 'An asset of this world',
    kind: asset.kind,
    value: asset.reference,
    url: asset.url ?? '',
  }))
  const shipped = samples.value.filter(fits).map(sample => ({
    ...sample,
    label: `Use the sample ${sample.name}`,
    value: sample.url,
  }))
  if (own.length + shipped.length === 0) return null
  return (
    <div class="sample-picker" role="group" aria-label="Sample files and assets">
      {[...own, ...shipped].map(file => (
        <button
          key={file.value}
          type="button"
          class="sample"
          title={`${file.name}: ${file.about}`}
          aria-label={file.label}
          aria-pressed={value === file.value}
          onClick={() => pick(file.value)}
        >
          <Thumbnail name={file.name} kind={file.kind} url={file.url} />
        </button>
      ))}
    </div>
  )
}

function Thumbnail({ name, kind, url }: { name: string; kind: Sample['kind']; url: string }) {
  const isOwn = url.startsWith(`${location.origin}/`)
  const path = isOwn ? new URL(url).pathname : ''
  if (isOwn && kind === 'image' && /\.(jpe?g|png|webp|gif|bmp)$/.test(path))
    return <img src={path} alt="" loading="lazy" width="44" height="32" />
  if (isOwn && kind === 'video')
    return <video src={path} muted playsInline preload="metadata" width="44" height="32" tabIndex={-1} />
  return <span class="mono">{name.replace(/^asset:\/\//, '').slice(0, 18)}</span>
}

/** Tags that decide the outcome of one request; a choice adds one at the end of its prompt. */
function PromptTags({ add }: { add: (tag: string) => void }) {
  if (promptTags.value.length === 0) return null
  return (
    <Select
      label="Add a prompt tag"
      look="choice add"
      value=""
      options={[
        ['', '+ outcome'],
        ...promptTags.value.map(({ tag, does }) => [tag, `${tag} ${does}`] as const),
      ]}
      choose={add}
    />
  )
}
