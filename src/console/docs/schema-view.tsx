import { plain, typeOf } from '../playground/body.ts'
import type { Schema } from '../store/operations.ts'

/** A text of the document; words between backticks are code, everything else is shown as it is written. */
export function Prose({ text }: { text: string }) {
  return <>{text.split(/`([^`]+)`/).map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part))}</>
}

/** Required fields are marked in what a caller sends, not in replies. */
type Kind = 'sent' | 'received'

/** The fields of a schema; fields of fields unfold. */
export function SchemaView({ schema, kind = 'sent' }: { schema: Schema; kind?: Kind }) {
  const own = plain(schema)
  const fields = Object.entries((own.items ? plain(own.items) : own).properties ?? {})
  if (fields.length === 0) return <p class="small quiet">{typeText(own)}</p>
  const { required = [] } = own.items ? plain(own.items) : own
  return (
    <ul class="schema">
      {fields.map(([name, field]) => (
        <FieldView
          key={name}
          name={name}
          schema={field}
          kind={kind}
          isRequired={kind === 'sent' && required.includes(name)}
        />
      ))}
    </ul>
  )
}

interface FieldProps {
  name: string
  schema: Schema
  kind: Kind
  isRequired: boolean
}

function FieldView({ name, schema, kind, isRequired }: FieldProps) {
  const own = plain(schema)
  const inner = own.items ? plain(own.items) : own
  const hasFields = Object.keys(inner.properties ?? {}).length > 0
  const about = own.description && (
    <p class="small quiet">
      <Prose text={own.description} />
    </p>
  )
  const head = (
    <>
      <span class="field-name mono">{name}</span> <span class="small quiet">{typeText(own)}</span>
      {isRequired && <span class="tag needed">required</span>}
    </>
  )
  return (
    <li>
      {hasFields ? (
        <details>
          <summary>{head}</summary>
          {about}
          <SchemaView schema={own} kind={kind} />
        </details>
      ) : (
        <>
          <div>{head}</div>
          {about}
        </>
      )}
    </li>
  )
}

/** `integer, 4 to 30, default 5`; `one of mp4, mov`; `list of objects`. */
export function typeText(schema: Schema): string {
  const own = plain(schema)
  if (own.const !== undefined) return `always ${String(own.const)}`
  if (own.enum) return [`one of ${own.enum.join(', ')}`, ...defaultText(own)].join(', ')
  const type = own.items ? `list${limits(own.minItems, own.maxItems)} of ${typeText(own.items)}` : nameOf(own)
  const bounds = own.minimum ?? own.maximum
  const range = bounds === undefined ? [] : [rangeText(own.minimum, own.maximum)]
  return [type, ...range, ...defaultText(own)].join(', ')
}

function nameOf(schema: Schema): string {
  if (Array.isArray(schema.type)) return schema.type.join(' or ')
  const type = typeOf(schema)
  return type === 'any'
    ? 'any value'
    : schema.type === 'integer'
      ? 'integer'
      : type === 'string'
        ? 'text'
        : type
}

function defaultText({ default: value }: Schema): string[] {
  return value === undefined ? [] : [`default ${JSON.stringify(value)}`]
}

function limits(least: number | undefined, most: number | undefined): string {
  return least === undefined && most === undefined ? '' : ` (${rangeText(least, most)})`
}

function rangeText(least: number | undefined, most: number | undefined): string {
  if (least !== undefined && most !== undefined) return `${least} to ${most}`
  return least === undefined ? `at most ${most}` : `at least ${least}`
}
