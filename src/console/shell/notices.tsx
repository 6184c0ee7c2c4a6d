import { Icon } from '../parts/icons.tsx'
import { dismiss, notices } from '../store/notices.ts'

export function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map(({ id, kind, text }) => (
        <div key={id} class={`notice ${kind === 'done' ? 'tone-succeeded' : 'tone-failed'}`}>
          <Icon name={kind === 'done' ? 'check' : 'cross'} />
          <span>{text}</span>
          <button
            type="button"
            class="button plain small icon"
            aria-label="Close"
            onClick={() => dismiss(id)}
          >
            <Icon name="cross" />
          </button>
        </div>
      ))}
    </div>
  )
}
