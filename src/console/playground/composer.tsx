import { useState } from 'preact/hooks'
import { Tabs } from '../parts/tabs.tsx'
import { accounts, keyOf } from '../store/accounts.ts'
import { callPublic, type PublicReply } from '../store/api.ts'
import { report } from '../store/notices.ts'
import type { Operation } from '../store/operations.ts'
import { blank, type Path, withAt } from './body.ts'
import { CopyAs } from './copy-as-buttons.tsx'
import { Fields } from './field.tsx'
import { Reply } from './reply.tsx'
import { type Example, examples, models } from './samples.ts'

/** What was last written for each operation, so that a look at another page loses nothing. */
const drafts = new Map<string, { body: unknown; model: string }>()
const templates = ['limited', 'poor', 'throttled', 'disabled', 'deleted']

/** A request in the making, and the reply to it beside. */
export function Composer({ operation }: { operation: Operation }) {
  const draft = drafts.get(operation.id)
  const own = examplesOf(operation)
  const [body, setBody] = useState<unknown>(draft?.body ?? own[0]?.body ?? blank(operation.body ?? {}))
  const [model, setModel] = useState(draft?.model ?? modelsFor(operation)[0] ?? '')
  const [account, setAccount] = useState('default')
  const [isSending, setSending] = useState(false)
  const [reply, setReply] = useState<PublicReply | undefined>(undefined)
  drafts.set(operation.id, { body, model })
  const call = {
    method: operation.method,
    path: operation.path.replace('{model}', encodeURIComponent(model)),
    key: keyOf(account),
    body,
  }
  const send = async () => {
    setSending(true)
    setReply(await report(() => callPublic(call)))
    setSending(false)
  }
  const set = (path: Path, value: unknown) => setBody((before: unknown) => withAt(before, path, value))
  return (
    <div class="playground-columns">
      <form
        class="card"
        aria-label="Request"
        onSubmit={event => {
          event.preventDefault()
          void send()
        }}
      >
        <div class="composer-head">
          <p class="mono path">
            {call.method} {call.path}
          </p>
          <div class="row">
            {own.length > 0 && <span class="small quiet">Start from</span>}
            {own.map(({ name, body: example }) => (
              <button key={name} type="button" class="button small" onClick={() => setBody(example)}>
                {name}
              </button>
            ))}
          </div>
        </div>
        <Tabs
          label="How to write the request"
          tabs={[
            {
              name: 'Form',
              content: () => (
                <div class="form">
                  {operation.path.includes('{model}') && (
                    <ModelField value={model} offered={modelsFor(operation)} set={setModel} />
                  )}
                  <Fields schema={operation.body ?? {}} value={body} path={[]} names={[]} set={set} />
                </div>
              ),
            },
            { name: 'JSON', content: () => <JsonEditor body={body} set={setBody} /> },
          ]}
        />
        <div class="composer-foot">
          <label class="row">
            <span class="small quiet">as</span>
            <input
              class="field account"
              aria-label="Account"
              list="accounts"
              value={account}
              onInput={event => setAccount(event.currentTarget.value)}
            />
            <datalist id="accounts">
              {[...new Set([...accounts.value.map(({ id }) => id), ...templates])].map(id => (
                <option key={id} value={id} />
              ))}
            </datalist>
          </label>
          <span class="grow" />
          <CopyAs call={{ ...call, url: `${location.origin}${call.path}` }} />
          <button type="submit" class="button primary" disabled={isSending}>
            {isSending ? 'Sending …' : 'Send'}
          </button>
        </div>
      </form>
      <section class="card reply" aria-label="Reply">
        <Reply reply={reply} />
      </section>
    </div>
  )
}

/** The plainest example first: it is what the form starts with. */
function examplesOf({ id }: Operation): Example[] {
  const own = examples.value.filter(({ operation }) => operation === id)
  return own.sort((a, b) => Number(b.name === 'text') - Number(a.name === 'text'))
}

/** The models of an operation whose path names one: those of its family, the one that is named like the operation first. */
function modelsFor({ id, family, path }: Operation): string[] {
  if (!path.includes('{model}')) return []
  const [, variant = ''] = id.split('.')
  const own = models.value.map(model => model.id).filter(name => name.startsWith(`model_${family}`))
  return own.sort((a, b) => Number(b.endsWith(`_${variant}`)) - Number(a.endsWith(`_${variant}`)))
}

function ModelField({
  value,
  offered,
  set,
}: {
  value: string
  offered: readonly string[]
  set: (value: string) => void
}) {
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
      <datalist id="path-models">
        {offered.map(name => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <p class="small quiet hint">Part of the path.</p>
    </div>
  )
}

function JsonEditor({ body, set }: { body: unknown; set: (body: unknown) => void }) {
  const [text, setText] = useState(JSON.stringify(body, null, 2))
  const [fault, setFault] = useState('')
  const change = (next: string) => {
    setText(next)
    try {
      set(JSON.parse(next))
      setFault('')
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <div class="form">
      <textarea
        class="field mono"
        aria-label="Request body"
        aria-invalid={fault !== ''}
        rows={Math.min(28, text.split('\n').length + 2)}
        spellcheck={false}
        value={text}
        onInput={event => change(event.currentTarget.value)}
      />
      <p class="small tone-failed fault" role="status">
        {fault}
      </p>
    </div>
  )
}
