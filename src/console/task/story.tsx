import { Fragment } from 'preact'
import { preciseTime } from '../parts/format.ts'
import { Icon } from '../parts/icons.tsx'
import { to } from '../store/address.ts'
import type { Entry, StoryItem } from '../store/shapes.ts'

const tones: Readonly<Record<string, string>> = {
  transition: 'tone-running',
  charge: 'tone-queued',
  rule: 'tone-expired',
  links: 'tone-expired',
  finding: 'tone-failed',
  removed: 'tone-cancelled',
  download: 'tone-succeeded',
}

/** What happened, in order, and what comes next. */
export function Story({ items, entries }: { items: readonly StoryItem[]; entries: readonly Entry[] }) {
  return (
    <ol class="story">
      {items.map((item, i) => (
        <li key={i} class={tones[item.kind] ?? ''}>
          <time class="mono quiet" dateTime={item.at}>
            {item.kind === 'next' ? '' : preciseTime(Date.parse(item.at))}
          </time>
          <span class="story-kind">{item.kind}</span>
          <span class="story-text">
            {withArrows(item.text)} <Requests ids={item.request_ids ?? []} entries={entries} />
          </span>
        </li>
      ))}
    </ol>
  )
}

/** A link to the newest of the requests of a row, where the journal still has it. */
function Requests({ ids, entries }: { ids: readonly string[]; entries: readonly Entry[] }) {
  const found = entries.findLast(({ request_id }) => ids.includes(request_id))
  if (!found) return null
  return (
    <a class="small" href={to('requests', String(found.id))} aria-label={`Open request ${found.id}`}>
      #{found.id}
    </a>
  )
}

/** The text with its arrows drawn, since some fonts have none; what is copied or read aloud has the character. */
function withArrows(text: string) {
  return text.split('->').map((part, i) => (
    <Fragment key={i}>
      {i > 0 && (
        <>
          <span class="unseen">→</span>
          <Icon name="arrow" />
        </>
      )}
      {part}
    </Fragment>
  ))
}
