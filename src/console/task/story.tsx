import { Fragment } from 'preact'
import type { RequestView, Story as TaskStory } from '../../kits/views.ts'
import { preciseTime } from '../parts/format.ts'
import { Icon } from '../parts/icons.tsx'
import { to } from '../store/address.ts'
import { entries as journal } from '../store/requests.ts'

export type StoryItem = TaskStory['items'][number]

const tones: Readonly<Record<string, string>> = {
  transition: 'tone-running',
  charge: 'tone-queued',
  rule: 'tone-expired',
  links: 'tone-expired',
  finding: 'tone-failed',
  removed: 'tone-cancelled',
  download: 'tone-succeeded',
}

/** What happened, in order. What comes next stands above. */
export function Story({ items, entries }: { items: readonly StoryItem[]; entries: readonly RequestView[] }) {
  return (
    <ol class="story">
      {items
        .filter(({ kind }) => kind !== 'next')
        .map(({ at, kind, text, request_ids = [] }, i) => {
          // The journal does not know the task of a refused poll.
          const isOf = ({ request_id }: RequestView) => request_ids.includes(request_id)
          const request = entries.findLast(isOf) ?? journal.value.find(isOf)
          const isBad = request !== undefined && (request.broken !== undefined || request.status >= 400)
          return (
            <li key={i} class={isBad ? 'tone-failed' : (tones[kind] ?? '')}>
              <time class="mono quiet" dateTime={at}>
                {preciseTime(Date.parse(at))}
              </time>
              <span class="story-kind">{kind}</span>
              <span class="story-text">
                {withArrows(text)}{' '}
                {request && (
                  <a
                    class="small"
                    href={to('requests', String(request.id))}
                    aria-label={`Open request ${request.id}`}
                  >
                    #{request.id}
                  </a>
                )}
              </span>
            </li>
          )
        })}
    </ol>
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
