import './notices.css'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icons.tsx'
import { dismiss, hold, notices, release } from '../store/notices.ts'

export function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map(({ id, kind, text, action }) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: it stays while it is pointed at; the buttons in it do the rest.
        <div
          key={id}
          class={`notice ${kind === 'done' ? 'tone-succeeded' : 'tone-failed'}`}
          onMouseEnter={() => hold(id)}
          onMouseLeave={() => release(id)}
          onFocusIn={() => hold(id)}
          onFocusOut={() => release(id)}
        >
          <Icon name={kind === 'done' ? 'check' : 'cross'} />
          <span class="grow">{text}</span>
          {action && (
            <Button
              look="small"
              act={() => {
                dismiss(id)
                action.act()
              }}
            >
              {action.label}
            </Button>
          )}
          <Button look="plain small" icon="cross" label="Close" act={() => dismiss(id)} />
        </div>
      ))}
    </div>
  )
}
