import { useState } from 'preact/hooks'
import type { List, RequestView } from '../../kits/views.ts'
import { runOfCall } from '../copies/part.ts'
import { Button } from '../parts/button.tsx'
import { isWhole } from '../parts/copy-as.ts'
import { CurlButton } from '../parts/copy-button.tsx'
import { preciseTime } from '../parts/format.ts'
import { Icon } from '../parts/icons.tsx'
import { keepDraft, textOf } from '../playground/draft.ts'
import { keyOf } from '../store/accounts.ts'
import { go, to } from '../store/address.ts'
import { callPublic, control } from '../store/api.ts'
import { notify, report } from '../store/notices.ts'
import { creates } from '../store/operations.ts'
import { byId } from '../store/tasks.ts'
import { CopyRun, readTrace } from '../trace/copy-actions.tsx'
import { comparing, pairOf, toRequests } from './filters.ts'
import { RequestTabs } from './request-tabs.tsx'
import { Ignored, RuleNames, StatusPill } from './status-pill.tsx'
import { whyRefused } from './why.ts'

/** One request, its reply, and why it was refused. */
export function RequestDetail({ entry }: { entry: RequestView }) {
  const tasks = entry.task_ids ?? (entry.task_id === undefined ? [] : [entry.task_id])
  return (
    <>
      <header class="detail-head">
        <div class="row spread">
          <h2 class="row">
            <StatusPill {...entry} /> {entry.operation}
          </h2>
          <a class="button plain icon" href={toRequests()} aria-label="Close the details">
            <Icon name="cross" />
          </a>
        </div>
        <p class="mono path">
          {entry.method} {entry.path}
        </p>
        <p class="small quiet">
          {preciseTime(entry.at_ms)} · {entry.duration_ms} ms · account {entry.account ?? 'unknown'}
          {entry.key_label !== undefined && `, key ${entry.key_label}`}
          {entry.service !== undefined && `, service ${entry.service}`} · {entry.request_id}
        </p>
        <Buttons entry={entry} />
      </header>
      <Why entry={entry} />
      <Broken entry={entry} />
      <Ignored fields={entry.unread} />
      {entry.rule !== undefined && entry.status < 400 && entry.broken === undefined && (
        <p class="remark tone-running">
          The rule <RuleNames rule={entry.rule} /> acted on this request.
        </p>
      )}
      {tasks.length > 0 && (
        <p class="remark">
          {tasks.length === 1 ? 'Task' : 'Tasks'}{' '}
          {tasks.slice(0, 5).map(id => (
            <a key={id} class="mono" href={to('tasks', id)}>
              {id}{' '}
            </a>
          ))}
        </p>
      )}
      <RequestTabs call={entry} />
    </>
  )
}

/** What happened to a reply that its client cannot use. */
function Broken({ entry: { broken, status, connection, media, rule } }: { entry: RequestView }) {
  if (broken === undefined && status !== 0) return null
  return (
    <p class="remark tone-failed">
      {[connection && `The reply was ${connection}`, media && `The file came ${media}`]
        .filter(Boolean)
        .join('. ') || 'No reply was sent'}
      {status > 0 && `; its status said ${status}`}.{' '}
      {rule !== undefined && (
        <>
          By the rule <RuleNames rule={rule} />.
        </>
      )}
    </p>
  )
}

function Why({ entry }: { entry: RequestView }) {
  const why = whyRefused(entry)
  if (!why) return null
  return (
    <div class="why tone-failed">
      <h3>Why it was refused</h3>
      <p>{why.meaning}</p>
      {why.said !== undefined && <blockquote>{why.said}</blockquote>}
      <p class="small">
        {why.rule === undefined ? (
          <>
            A rule of the service itself{entry.fault === undefined ? '' : ` (${entry.fault})`}: no scenario
            acted.
          </>
        ) : (
          <>
            Refused by the rule <RuleNames rule={why.rule} />.
          </>
        )}
      </p>
    </div>
  )
}

function Buttons({ entry }: { entry: RequestView }) {
  const [isSending, setSending] = useState(false)
  const { method, path, request, account, key_label } = entry
  const call = {
    method,
    path,
    key: keyOf(account ?? 'default', key_label),
    ...(request.body !== null && { body: request.body }),
  }
  const resend = async () => {
    setSending(true)
    const reply = await report(() => callPublic(call))
    if (reply)
      notify(
        reply.status < 400 ? 'done' : 'fault',
        `Sent again: ${reply.status} after ${Math.round(reply.ms)} ms`,
      )
    setSending(false)
  }
  // The journal masks the signatures of links.
  const isLink = entry.operation === 'media.download'
  const canResend = !isLink && isWhole(request.body)
  return (
    <div class="row">
      <Button
        look="small"
        icon="forward"
        disabled={isSending || !canResend}
        title={
          canResend
            ? 'Send it again'
            : `The journal keeps ${isLink ? 'no signatures of links' : 'long bodies and files shortened'}, so it cannot be sent again`
        }
        act={resend}
      >
        Send again
      </Button>
      {!isLink && <CurlButton call={{ ...call, url: `${location.origin}${path}` }} />}
      <CopyRun part={async () => runOfCall(await readTrace(), entry.id)} />
      <EditButton entry={entry} />
      <Button
        look="small"
        title={`Choose another ${entry.operation} to see what differs`}
        act={() => {
          comparing.value = entry
          location.hash = toRequests()
        }}
      >
        Compare
      </Button>
      {!isGood(entry) && (
        <Button look="small" act={() => compareWithGood(entry)}>
          Compare with the last good one
        </Button>
      )}
    </div>
  )
}

function isGood({ status, broken }: RequestView): boolean {
  return status >= 200 && status < 400 && broken === undefined
}

/** Compares a refused or broken request with the newest call of its operation that went well: before it, else after it. */
async function compareWithGood({ id, operation }: RequestView): Promise<void> {
  const newest = async (more: string) => {
    const path = `/requests?operation=${operation}&search=status:2xx&limit=50${more}`
    return (await control<List<RequestView>>('GET', path)).items.findLast(isGood)
  }
  await report(async () => {
    const good = (await newest(`&before=${id}`)) ?? (await newest(''))
    if (good) location.hash = toRequests(pairOf(good.id, id))
    else notify('done', `No ${operation} went well so far`)
  })
}

function modelIn({ request: { body }, path }: RequestView): string | undefined {
  const { model } = Object(body) as { model?: unknown }
  if (typeof model === 'string') return model
  const inPath = /^\/image-to-video\/([^/?]+)/.exec(path)?.[1]
  return inPath && decodeURIComponent(inPath)
}

/** Opens a create in the playground, where it can be edited and sent. */
function EditButton({ entry }: { entry: RequestView }) {
  const operation = creates().find(({ id }) => id === entry.operation)
  if (!operation || entry.request.body === null) return null
  const { body } = entry.request
  const edit = () => {
    keepDraft(operation, {
      text: typeof body === 'string' ? body : textOf(body),
      model: modelIn(entry) ?? byId.value.get(entry.task_id ?? '')?.model ?? '',
      account: entry.account ?? 'default',
    })
    go('playground', operation.id)
  }
  return (
    <Button
      look="small"
      title={
        isWhole(body)
          ? 'Open it in the playground, change it and send it'
          : 'The journal keeps files as digests: put in your own'
      }
      act={edit}
    >
      Edit in the playground
    </Button>
  )
}
