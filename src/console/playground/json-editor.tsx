import type { ReadText } from './draft.ts'

interface Props {
  text: string
  read: ReadText
  write: (text: string) => void
}

/** The body as text. Broken JSON is sent as it is, too: clients make such mistakes. */
export function JsonEditor({ text, read, write }: Props) {
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
