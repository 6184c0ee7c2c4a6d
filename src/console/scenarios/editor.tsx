import { useEffect, useState } from 'preact/hooks'
import type { Document } from 'yaml'
import { EmulatorError } from '../../kits/views.ts'
import { BackLink, Button } from '../parts/button.tsx'
import { submits } from '../parts/fields.tsx'
import { counted } from '../parts/format.ts'
import { Icon } from '../parts/icons.tsx'
import { pathOf } from '../parts/path.ts'
import { go, to } from '../store/address.ts'
import { control } from '../store/api.ts'
import { keep, kept } from '../store/kept.ts'
import { complaint, notify, report } from '../store/notices.ts'
import { readScenario, scenariosChanged, stop } from './listing.ts'

const start = `name: my-scenario
description: The first create is throttled, the second task fails.
rules:
  - when: { operation: "*.create", call: 1 }
    then: { refuse: { fault: rate_limited, retry_after: 5s } }
  - when: { operation: "*.create", call: 2 }
    then: { task: { running: 20s, outcome: failed } }
`
const quietMs = 250

type Props = { active: readonly string[] } & (
  | { kind: 'new'; name?: undefined }
  | { kind: 'copy' | 'edit'; name: string }
)

/** A scenario as text, checked while it is typed. A draft is kept when the page is left, until it is saved or discarded. */
export function Editor({ kind, name, active }: Props) {
  const draft = `scenario:${kind}:${name ?? ''}`
  const [text, setText] = useState(kept<string>(draft))
  const [verdict, setVerdict] = useState<CheckedText>({ kind: 'checking' })
  const isDraft = kept<string>(draft) !== undefined
  const write = (next: string | undefined) => {
    keep(draft, next)
    setText(next)
  }

  useEffect(() => {
    if (text !== undefined) return
    if (name === undefined) setText(start)
    else void report(async () => setText(kind === 'copy' ? await copyOf(name) : await textOf(name)))
  }, [text === undefined])

  useEffect(() => {
    let isWanted = true
    setVerdict({ kind: 'checking' })
    const timer = setTimeout(() => {
      if (text !== undefined) void checkText(text).then(found => isWanted && setVerdict(found))
    }, quietMs)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [text])

  const staysOff = kind === 'edit' && !active.includes(name)
  const save = () =>
    report(async () => {
      if (verdict.kind !== 'valid' || text === undefined) return
      await control('POST', '/scenarios', { ...(verdict.document as object), $text: text })
      if (kind === 'edit' && verdict.name !== name) await control('DELETE', `/scenarios/${name}`)
      if (staysOff && !active.includes(verdict.name)) await stop(verdict.name)
      keep(draft, undefined)
      scenariosChanged.value++
      notify('done', staysOff ? `${verdict.name} is saved` : `${verdict.name} is saved and active`)
      go('scenarios', verdict.name)
    })
  return (
    <form class="editor" onSubmit={submits(save)}>
      <header>
        <h2 class="row">
          <BackLink to={to('scenarios')} label="All scenarios" />
          {titles[kind]} {name}
        </h2>
        <div class="row">
          {isDraft && (
            <Button look="small" act={() => write(undefined)}>
              Discard the changes
            </Button>
          )}
          <Button look="primary small" disabled={verdict.kind !== 'valid'}>
            {staysOff ? 'Save' : 'Save and activate'}
          </Button>
        </div>
      </header>
      <label class="unseen" for="scenario-text">
        Scenario, YAML or JSON
      </label>
      <Lines text={text ?? ''} wrong={verdict.kind === 'wrong' ? verdict.line : undefined} change={write} />
      <div role="status" class="verdict">
        <Words verdict={verdict} />
      </div>
    </form>
  )
}

const titles = { new: 'New scenario', copy: 'A copy of', edit: 'Edit' } as const

function Words({ verdict }: { verdict: CheckedText }) {
  switch (verdict.kind) {
    case 'checking':
      return <span class="quiet">Checking …</span>
    case 'valid':
      return (
        <span class="tone-succeeded fine">
          <Icon name="check" /> {verdict.name} is valid: {counted(verdict.rules, 'rule')}
        </span>
      )
    case 'wrong':
      return (
        <span class="tone-failed wrong">
          {verdict.line !== undefined && <strong>Line {verdict.line}: </strong>}
          {verdict.message}
          {verdict.hint !== undefined && <em> {verdict.hint}</em>}
        </span>
      )
  }
}

/** The text of the author, or else a text made from the document. */
async function textOf(name: string): Promise<string> {
  const { text, document } = await readScenario(name)
  if (text !== undefined) return text
  const { stringify } = await import('yaml')
  return stringify(document, { lineWidth: 110 })
}

async function copyOf(name: string): Promise<string> {
  const text = await textOf(name)
  return text.replace(/^(["']?name["']?: *).*$/m, `$1my-${name}`.slice(0, 80))
}

interface LinesProps {
  text: string
  /** The line that is wrong, counted from 1. */
  wrong: number | undefined
  change: (text: string) => void
}

/** A text field with line numbers. */
function Lines({ text, wrong, change }: LinesProps) {
  const count = text.split('\n').length
  return (
    <div class="lines">
      <div class="numbers mono" aria-hidden="true">
        {Array.from({ length: count }, (_, i) => (
          <span key={i} class={wrong === i + 1 ? 'wrong' : ''}>
            {i + 1}
          </span>
        ))}
      </div>
      <textarea
        id="scenario-text"
        class="mono"
        rows={Math.max(16, count + 1)}
        spellcheck={false}
        wrap="off"
        aria-invalid={wrong !== undefined}
        value={text}
        onInput={event => change(event.currentTarget.value)}
      />
    </div>
  )
}

/** The result of checking a scenario's text. Lines count from 1. */
type CheckedText =
  | { kind: 'checking' }
  | { kind: 'valid'; name: string; rules: number; document: unknown }
  | { kind: 'wrong'; message: string; hint: string | undefined; line: number | undefined }

/** Reads a text as YAML (JSON is YAML too) and lets the emulator check it; nothing is stored. */
async function checkText(text: string): Promise<CheckedText> {
  const { parseDocument } = await import('yaml')
  const parsed = parseDocument(text)
  const [fault] = parsed.errors
  if (fault) return wrong(fault.message.split('\n')[0] ?? '', undefined, fault.linePos?.[0].line)
  const document: unknown = parsed.toJS()
  if (typeof document !== 'object' || document === null)
    return wrong('A scenario is a mapping with name and rules', undefined, 1)
  try {
    const { name, rules } = await control<{ name: string; rules: number }>(
      'POST',
      '/scenarios/check',
      document,
    )
    return { kind: 'valid', name, rules, document }
  } catch (error) {
    if (!(error instanceof EmulatorError)) return wrong(complaint(error), undefined, undefined)
    return wrong(error.reason, error.hint, lineOf(text, parsed, error.path))
  }
}

function wrong(message: string, hint: string | undefined, line: number | undefined): CheckedText {
  return { kind: 'wrong', message, hint, line }
}

/** The line of the value at a path such as `rules[0].when.operation`; where it is missing, the line of what should contain it. */
function lineOf(text: string, document: Document, path = ''): number | undefined {
  const steps = pathOf(path)
  for (let length = steps.length; length > 0; length--) {
    const node: unknown = document.getIn(steps.slice(0, length), true)
    const { range } = (node ?? {}) as { range?: [number, number, number] }
    if (range) return text.slice(0, range[0]).split('\n').length
  }
  return undefined
}
