interface Props {
  text: string
  /** The line that is wrong, counted from 1. */
  wrong: number | undefined
  change: (text: string) => void
}

/** A text field with line numbers. */
export function Lines({ text, wrong, change }: Props) {
  const count = text.split('\n').length
  return (
    <div class="lines">
      <div class="numbers mono" aria-hidden="true">
        {Array.from({ length: count }, (_, i) => (
          <span key={i} class={wrong === i + 1 ? 'wrong' : ''}>
            {i + 1}
          </span>
        ))}
      </div>
      <textarea
        id="scenario-text"
        class="mono"
        rows={Math.max(16, count + 1)}
        spellcheck={false}
        wrap="off"
        aria-invalid={wrong !== undefined}
        value={text}
        onInput={event => change(event.currentTarget.value)}
      />
    </div>
  )
}
