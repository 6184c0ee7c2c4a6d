import { Fragment } from 'preact'
import { preciseTime } from '../parts/format.ts'
import { Icon } from '../parts/icons.tsx'
import type { StoryItem } from '../store/shapes.ts'

const tones: Readonly<Record<string, string>> = {
  transition: 'tone-running',
  charge: 'tone-queued',
  rule: 'tone-expired',
  finding: 'tone-failed',
  removed: 'tone-cancelled',
  download: 'tone-succeeded',
}

/** What happened, in order, and what comes next. */
export function Story({ items }: { items: readonly StoryItem[] }) {
  return (
    <ol class="story">
      {items.map((item, i) => (
        <li key={i} class={tones[item.kind] ?? ''}>
          <time class="mono quiet" dateTime={item.at}>
            {item.kind === 'next' ? 'next' : preciseTime(Date.parse(item.at))}
          </time>
          <span class="story-kind">{item.kind}</span>
          <span class="story-text">{withArrows(item.text)}</span>
        </li>
      ))}
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
