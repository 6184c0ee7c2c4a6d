import { preciseTime } from '../parts/format.ts'
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
          <span class="story-text">{item.text.replaceAll('->', '→')}</span>
        </li>
      ))}
    </ol>
  )
}
