import type { ComponentChild } from 'preact'
import { CopyButton } from './copy-button.tsx'

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g
/** Longer texts have no colours, because colouring them takes too long. Characters. */
const mostColoured = 60_000

/** A value as JSON, coloured, with a button that copies it. */
export function Json({ value, label }: { value: unknown; label: string }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  if (value === null || value === undefined || text === '') return <p class="quiet json">Nothing.</p>
  return (
    <div class="json-box">
      <CopyButton text={text} label={`Copy ${label}`} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it. */}
      <pre class="json" tabIndex={0} role="region" aria-label={label}>
        {text.length > mostColoured || typeof value === 'string' ? text : coloured(text)}
      </pre>
    </div>
  )
}

function coloured(text: string) {
  const parts: ComponentChild[] = []
  let last = 0
  for (const match of text.matchAll(token)) {
    const [whole, string, colon, , number] = match
    parts.push(text.slice(last, match.index))
    if (string !== undefined) {
      parts.push(<span class={colon ? 'k' : 's'}>{string}</span>, colon)
    } else parts.push(<span class={number === undefined ? 'w' : 'n'}>{whole}</span>)
    last = match.index + whole.length
  }
  parts.push(text.slice(last))
  return parts
}
