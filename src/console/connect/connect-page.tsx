import { Button } from '../parts/button.tsx'
import './connect.css'
import { useRef } from 'preact/hooks'
import { Reading } from '../parts/empty.tsx'
import { counted } from '../parts/format.ts'
import { Icon } from '../parts/icons.tsx'
import { Json } from '../parts/json.tsx'
import { StatusPill } from '../requests/status-pill.tsx'
import { keyOf } from '../store/accounts.ts'
import { go, to, world } from '../store/address.ts'
import { areEntriesRead, entries } from '../store/requests.ts'
import { findings } from '../store/status.ts'
import { useTitle } from '../store/title.ts'
import { type Manner, mannersOf, scoreOf } from './manners.ts'
import { snippets } from './snippets.ts'

/** Snippets that connect a client to this world, its first request, and how well it behaves. */
export function ConnectPage({ item }: { item: string | undefined }) {
  const chosen = snippets.find(({ name }) => name === item) ?? snippets[0]
  useTitle(chosen && `Connect ${chosen.title}`)
  if (!chosen) return null
  const text = chosen.text({ url: location.origin, key: keyOf('default') })
  return (
    <div class="page connect">
      <header class="page-title">
        <h1>Connect a client</h1>
        <p class="quiet">
          A client needs only this base address and key. The key <code>{keyOf('default')}</code> belongs to
          the world {world}.
        </p>
      </header>
      <div class="columns connect-columns">
        <section class="panel" aria-label="Client">
          <div class="clients" role="group" aria-label="Clients">
            {snippets.map(({ name, title }) => (
              <Button key={name} aria-pressed={name === chosen.name} act={() => go('connect', name)}>
                {title}
              </Button>
            ))}
          </div>
          <p class="small quiet connect-hint">{chosen.hint}</p>
          <Json value={text} label="the snippet" />
        </section>
        <div>
          <First />
          <Manners />
        </div>
      </div>
    </div>
  )
}

/** Whether a request came since the page was opened, or ever. */
function First() {
  const [newest] = entries.value
  const atFirst = useRef<number | undefined>(undefined)
  if (areEntriesRead.value) atFirst.current ??= newest?.id ?? 0
  const isFresh = newest !== undefined && newest.id > (atFirst.current ?? newest.id)
  if (!newest && !areEntriesRead.value) return <Reading what="requests" />
  if (!newest)
    return (
      <section class="panel first-request" aria-label="First request" role="status">
        <span class="dot-waiting" />
        <div>
          <h2>Waiting for the first request</h2>
          <p class="small quiet">
            It appears here when it comes. A request with another key goes to the world of that key.
          </p>
        </div>
      </section>
    )
  return (
    <section class="panel first-request tone-succeeded" aria-label="First request" role="status">
      <span class="first-mark">
        <Icon name="check" />
      </span>
      <div>
        <h2>{isFresh ? 'First request received' : 'Requests received'}</h2>
        <p class="row">
          <StatusPill {...newest} />
          <a href={to('requests', String(newest.id))}>{newest.operation}</a>
          {newest.task_id !== undefined && <a href={to('tasks', newest.task_id)}>its task</a>}
        </p>
      </div>
    </section>
  )
}

const marks = { kept: 'check', broken: 'cross', unseen: 'dots' } as const
const tones = { kept: 'succeeded', broken: 'failed', unseen: 'queued' } as const
const words = { kept: 'kept', broken: 'broken', unseen: 'not seen yet' } as const

function Manners() {
  const manners = mannersOf(findings.value, entries.value)
  const { kept, seen } = scoreOf(manners)
  return (
    <section class="panel" aria-label="Manners">
      <header>
        <h2>Manners</h2>
        <strong class={`pill tone-${seen === 0 ? 'queued' : kept === seen ? 'succeeded' : 'expired'}`}>
          {seen === 0 ? 'nothing seen yet' : `${kept} of ${seen} kept`}
        </strong>
      </header>
      <ul class="manners">
        {manners.map(manner => (
          <Row key={manner.title} manner={manner} />
        ))}
      </ul>
      <p class="small quiet connect-hint">
        <a href={to('world', 'findings')}>All findings</a>, with the requests that show them.
      </p>
    </section>
  )
}

function Row({ manner: { title, state, texts } }: { manner: Manner }) {
  return (
    <li class={`tone-${tones[state]}`}>
      <span class="manner-mark" role="img" aria-label={words[state]} title={words[state]}>
        <Icon name={marks[state]} />
      </span>
      <div>
        <span class={state === 'unseen' ? 'quiet' : ''}>{title}</span>
        {texts.length > 0 && (
          <p class="small quiet">
            {texts.length > 1 && <strong>{counted(texts.length, 'time')}, such as: </strong>}
            {texts[0]}
          </p>
        )}
      </div>
    </li>
  )
}
