import { useState } from 'preact/hooks'
import { CopyAs } from '../playground/copy-as-buttons.tsx'
import { readText, textOf } from '../playground/draft.ts'
import { JsonEditor } from '../playground/json-editor.tsx'
import { Reply } from '../playground/reply.tsx'
import { keyOf } from '../store/accounts.ts'
import { keep, kept } from '../store/kept.ts'
import { changes } from '../store/live.ts'
import { report } from '../store/notices.ts'
import type { PublicReply } from '../store/public-reply.ts'
import type { DocOperation } from './document.ts'
import { Make } from './make.tsx'
import { ParameterField } from './parameter-field.tsx'
import { suggested, taskFor } from './suggest.ts'
import { callOf, fieldOf, send, type Values } from './try-call.ts'

interface Draft {
  values: Values
  text: string
  key: string
}

/** Sends a real request from the page. Key, example and ids are filled in; changes are kept over a reload. */
export function TryIt({ operation }: { operation: DocOperation }) {
  const name = `docs:${operation.key}`
  const [draft, setDraft] = useState<Partial<Draft>>(() => kept<Partial<Draft>>(name) ?? {})
  const [isSending, setSending] = useState(false)
  const [reply, setReply] = useState<PublicReply | undefined>(undefined)
  const write = (change: Partial<Draft>) =>
    setDraft(before => {
      const next = { ...before, ...change }
      keep(name, next)
      return next
    })
  const values = Object.fromEntries(
    operation.parameters.map(parameter => {
      const field = fieldOf(parameter)
      return [field, draft.values?.[field] ?? suggested(operation, parameter)]
    }),
  )
  const key = draft.key ?? keyOf(taskFor(operation)?.account ?? 'default')
  const text = draft.text ?? textOf(operation.examples[0]?.value ?? {})
  const call = callOf(operation, values, { key, text })
  const read = readText(text)
  const act = async () => {
    if (isSending) return
    setSending(true)
    setReply(await report(() => send(call)))
    setSending(false)
    changes.value++
  }
  if (operation.path.endsWith('/events')) return <Stream path={call.path} />
  return (
    <form
      class="panel try"
      aria-label="Try it"
      onKeyDown={event => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void act()
      }}
      onSubmit={event => {
        event.preventDefault()
        void act()
      }}
    >
      <header>
        <h3>Try it</h3>
        <div class="row">
          {operation.examples.length > 1 &&
            operation.examples.map(example => (
              <button
                key={example.name}
                type="button"
                class="button small"
                onClick={() => write({ text: textOf(example.value) })}
              >
                {example.name}
              </button>
            ))}
        </div>
      </header>
      <div class="form">
        {operation.api === 'public' && (
          <label class="simple">
            <span class="field-name mono">Authorization</span>
            <span class="row nowrap">
              <span class="small quiet">Bearer</span>
              <input
                class="field mono"
                value={key}
                onInput={event => write({ key: event.currentTarget.value })}
              />
            </span>
          </label>
        )}
        {operation.parameters.map(parameter => (
          <ParameterField
            key={fieldOf(parameter)}
            parameter={parameter}
            value={values[fieldOf(parameter)] ?? ''}
            set={value => write({ values: { ...draft.values, [fieldOf(parameter)]: value } })}
          />
        ))}
        <Make
          operation={operation}
          values={values}
          set={own => write({ values: { ...draft.values, ...own } })}
        />
      </div>
      {operation.body && <JsonEditor text={text} read={read} write={next => write({ text: next })} />}
      <div class="composer-foot">
        {Object.keys(draft).length > 0 && (
          <button
            type="button"
            class="button"
            onClick={() => {
              keep(name, undefined)
              setDraft({})
            }}
          >
            Discard the changes
          </button>
        )}
        <span class="grow" />
        <CopyAs
          call={{
            method: call.method,
            url: `${location.origin}${call.path}`,
            ...(operation.api === 'public' && { key }),
            ...(operation.body && { text }),
            ...(operation.body && read.kind === 'json' && { body: read.body }),
          }}
        />
        <button type="submit" class="button primary" disabled={isSending} title="Send (Ctrl+Enter)">
          {isSending ? 'Sending …' : 'Send'}
        </button>
      </div>
      {reply && (
        <section class="reply-in-place" aria-label="Reply">
          <Reply reply={reply} />
        </section>
      )}
    </form>
  )
}

function Stream({ path }: { path: string }) {
  return (
    <div class="panel try">
      <header>
        <h3>Try it</h3>
      </header>
      <p class="body">
        This stream does not end, and this page listens to it already. In a terminal:{' '}
        <code>curl -N {`${location.origin}${path}`}</code>
      </p>
    </div>
  )
}
