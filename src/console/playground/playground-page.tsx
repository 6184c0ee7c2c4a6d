import './playground.css'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ExampleRequest } from '../../emulator/page.ts'
import { Button } from '../parts/button.tsx'
import { CopyAs } from '../parts/copy-button.tsx'
import { Empty, NoSuchPage, Reading } from '../parts/empty.tsx'
import { Offers, submits } from '../parts/fields.tsx'
import { Json } from '../parts/json.tsx'
import { groupsOf } from '../parts/lists.ts'
import { type Path, pathOf, valueAt } from '../parts/path.ts'
import { StatePill } from '../parts/state-pill.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { StatusPill } from '../requests/status-pill.tsx'
import { accounts, keyOf } from '../store/accounts.ts'
import { go, to } from '../store/address.ts'
import { callPublic, type PublicReply } from '../store/api.ts'
import { now } from '../store/clock.ts'
import { isStale } from '../store/connection.ts'
import { report } from '../store/notices.ts'
import { creates, familyTitle, modelsOf, type Operation } from '../store/operations.ts'
import { entryOf } from '../store/requests.ts'
import { byId, stateAt } from '../store/tasks.ts'
import { OwnLine } from '../tasks/bar.tsx'
import { blank, withAt } from './body.ts'
import { type Draft, draftOf, keepDraft, type ReadText, readText, textOf } from './draft.ts'
import { Fields } from './field.tsx'
import { Refused, refusalOf } from './refusal.ts'
import { assumptions, examples, readOffers } from './samples.ts'

/** Forms for every create, made from the schemas that check it. */
export function PlaygroundPage({ item }: { item: string | undefined }) {
  useEffect(() => {
    if (!isStale.value) void report(readOffers)
  }, [isStale.value])
  const list = creates()
  const operation = item === undefined ? list[0] : list.find(({ id }) => id === item)
  if (list.length > 0 && !operation)
    return (
      <NoSuchPage what={`create operation “${item}”`} page="playground">
        The playground
      </NoSuchPage>
    )
  if (!operation || examples.value.length === 0) return <Reading what="the operations" />
  return (
    <div class="page playground">
      <div class="page-title row spread">
        <h1>Playground</h1>
        <Chooser list={list} chosen={operation} />
      </div>
      <Composer key={operation.id} operation={operation} />
    </div>
  )
}

function Chooser({ list, chosen }: { list: readonly Operation[]; chosen: Operation }) {
  return (
    <select
      class="field choose-operation"
      aria-label="Operation"
      value={chosen.id}
      onChange={event => go('playground', event.currentTarget.value)}
    >
      {[...groupsOf(list, ({ group }) => group)].map(([family, operations]) => (
        <optgroup key={family} label={familyTitle(family)}>
          {operations.map(({ id, summary, 'x-beyond-specification': isBeyond }) => (
            <option key={id} value={id}>
              {id}: {summary}
              {isBeyond && ' (upstream only)'}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  )
}

const templates = ['limited', 'poor', 'throttled', 'disabled', 'deleted']

/** A request that is being written, and the reply beside it. The text on the screen is sent unchanged. */
function Composer({ operation }: { operation: Operation }) {
  const own = examplesOf(operation)
  const [draft, setDraft] = useState<Draft>(() => draftOf(operation) ?? freshDraft(operation, own))
  const [isSending, setSending] = useState(false)
  const [reply, setReply] = useState<PublicReply | undefined>(undefined)
  const [sent, setSent] = useState('')
  const read = useMemo(() => readText(draft.text), [draft.text])
  const write = (change: Partial<Draft>) =>
    setDraft(before => {
      const next = { ...before, ...change }
      keepDraft(operation, next)
      return next
    })
  const call = {
    method: operation.method,
    path: operation.path.replace('{model}', encodeURIComponent(draft.model)),
    key: keyOf(draft.account),
    text: draft.text,
  }
  const send = async () => {
    if (isSending) return
    setSending(true)
    setSent(draft.text)
    setReply(await report(() => callPublic(call)))
    setSending(false)
  }
  const refusal =
    reply &&
    refusalOf(reply, { entry: entryOf(reply), family: operation.group, assumptions: assumptions.value })
  const param = refusal?.param ?? ''
  const isStill =
    read.kind === 'json' &&
    JSON.stringify(valueAt(read.body, pathOf(param))) === JSON.stringify(valueAt(bodyOf(sent), pathOf(param)))
  return (
    <div class="columns">
      <form
        class="panel"
        aria-label="Request"
        onKeyDown={event => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send()
        }}
        onSubmit={submits(send)}
      >
        <div class="composer-head">
          <p class="mono path">
            {call.method} {call.path}
          </p>
          <div class="row">
            {own.length > 0 && <span class="small quiet">Start from</span>}
            {own.map(({ name, body }) => (
              <Button look="small" key={name} act={() => write({ text: textOf(body) })}>
                {name}
              </Button>
            ))}
          </div>
        </div>
        <Tabs
          label="How to write the request"
          first={read.kind === 'broken' ? 'JSON' : 'Form'}
          tabs={[
            {
              name: 'Form',
              content: () => (
                <Refused.Provider value={isStill ? refusal : undefined}>
                  <Form operation={operation} draft={draft} read={read} write={write} />
                </Refused.Provider>
              ),
            },
            {
              name: 'JSON',
              content: () => <JsonEditor text={draft.text} read={read} write={text => write({ text })} />,
            },
          ]}
        />
        <div class="composer-foot">
          <AccountField value={draft.account} set={account => write({ account })} />
          <span class="grow" />
          <CopyAs
            call={{
              ...call,
              url: `${location.origin}${call.path}`,
              ...(read.kind === 'json' && { body: read.body }),
            }}
          />
          <Button
            look="primary"
            disabled={isSending}
            title="Send (Ctrl+Enter)"
            aria-keyshortcuts="Control+Enter"
          >
            {isSending ? 'Sending …' : 'Send'}
          </Button>
        </div>
      </form>
      <section class="panel reply" aria-label="Reply">
        <Reply reply={reply} />
      </section>
    </div>
  )
}

interface FormProps {
  operation: Operation
  draft: Draft
  read: ReadText
  write: (change: Partial<Draft>) => void
}

function Form({ operation, draft, read, write }: FormProps) {
  const body = read.kind === 'json' ? read.body : undefined
  const set = (path: Path, value: unknown) => write({ text: textOf(withAt(body, path, value)) })
  return (
    <div class="form stack">
      {operation.path.includes('{model}') && (
        <ModelField value={draft.model} offered={modelsOf(operation)} set={model => write({ model })} />
      )}
      {read.kind === 'broken' ? (
        <p class="remark tone-failed">
          The body is not valid JSON, so there is no form for it: {read.fault}. Send sends it as it is.
          Correct it in the JSON tab, or start from an example.
        </p>
      ) : (
        <Fields schema={operation.body ?? {}} value={body} path={[]} names={[]} set={set} />
      )}
    </div>
  )
}

function AccountField({ value, set }: { value: string; set: (account: string) => void }) {
  return (
    <label class="row">
      <span class="small quiet">as</span>
      <input
        class="field account"
        aria-label="Account"
        list="accounts"
        value={value}
        onInput={event => set(event.currentTarget.value)}
      />
      <Offers id="accounts" words={[...new Set([...accounts.value.map(({ id }) => id), ...templates])]} />
    </label>
  )
}

function bodyOf(text: string): unknown {
  const read = readText(text)
  return read.kind === 'json' ? read.body : undefined
}

/** The examples of an operation. The simplest is the first; the form begins with it. */
function examplesOf({ id }: Operation): ExampleRequest[] {
  return examples.value.filter(({ operation }) => operation === id)
}

function freshDraft(operation: Operation, [first]: readonly ExampleRequest[]): Draft {
  return {
    text: textOf(first?.body ?? blank(operation.body ?? {})),
    model: modelsOf(operation)[0] ?? '',
    account: 'default',
  }
}

interface JsonProps {
  text: string
  read: ReadText
  write: (text: string) => void
}

/** The body as text. Broken JSON is sent as it is, too: clients make such mistakes. */
function JsonEditor({ text, read, write }: JsonProps) {
  const isBroken = read.kind === 'broken'
  return (
    <div class="form stack">
      <textarea
        class="field mono"
        aria-label="Request body"
        aria-invalid={isBroken}
        aria-describedby="json-fault"
        rows={Math.min(28, text.split('\n').length + 2)}
        spellcheck={false}
        value={text}
        onInput={event => write(event.currentTarget.value)}
      />
      <p id="json-fault" class={`small tone-failed fault${isBroken ? '' : ' unseen'}`} role="status">
        {isBroken ? `Not valid JSON, and sent as it is: ${read.fault}` : ''}
      </p>
    </div>
  )
}

interface ModelProps {
  value: string
  offered: readonly string[]
  set: (value: string) => void
}

function ModelField({ value, offered, set }: ModelProps) {
  return (
    <div class="simple">
      <label class="field-name mono" for="path-model">
        model
      </label>
      <input
        id="path-model"
        class="field"
        list="path-models"
        value={value}
        onInput={event => set(event.currentTarget.value)}
      />
      <Offers id="path-models" words={offered} />
      <p class="small quiet hint">Part of the path.</p>
    </div>
  )
}

/** The reply to a request, and the task that it made. */
function Reply({ reply }: { reply: PublicReply | undefined }) {
  const head = useRef<HTMLElement>(null)
  // In one column it comes below the form, out of sight.
  useEffect(() => head.current?.scrollIntoView({ block: 'nearest' }), [reply])
  if (!reply)
    return (
      <Empty title="The reply appears here">
        <p>Fill in the form, or start from an example, and send it. It costs emulated credits only.</p>
      </Empty>
    )
  const entry = entryOf(reply)
  const rule = reply.headers.get('x-emulator-rule')
  return (
    <>
      <header ref={head}>
        <div class="row" role="status">
          <StatusPill status={reply.status} />
          <span>{Math.round(reply.ms)} ms</span>
          {rule && <span class="pill tone-running">{rule}</span>}
        </div>
        {entry && (
          <a class="small" href={to('requests', String(entry.id))}>
            {reply.status >= 400 ? 'Why was it refused?' : 'See the request'}
          </a>
        )}
      </header>
      {entry?.task_id !== undefined && <Task id={entry.task_id} />}
      <Json value={reply.body} label="Reply body" />
      <details class="headers">
        <summary>Headers</summary>
        <dl class="facts small">
          {[...reply.headers].map(([name, value]) => [
            <dt key={name}>{name}</dt>,
            <dd key={`${name}=`}>{value}</dd>,
          ])}
        </dl>
      </details>
    </>
  )
}

function Task({ id }: { id: string }) {
  const line = byId.value.get(id)
  const current = line && stateAt(line, now.value)
  if (!line || !current) return null
  return (
    <a class="reply-task" href={to('tasks', id)}>
      <StatePill state={current.state} word={current.word} />
      <OwnLine line={line} now={now.value} />
      <span>Open the task</span>
    </a>
  )
}
