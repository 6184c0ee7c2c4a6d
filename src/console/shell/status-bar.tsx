import { Button } from '../parts/button.tsx'
import './status-bar.css'
import type { ComponentChildren } from 'preact'
import { injectionChips } from '../breaking/breakage.ts'
import { counted } from '../parts/format.ts'
import { Icon } from '../parts/icons.tsx'
import { to } from '../store/address.ts'
import { changeClock, clock } from '../store/clock.ts'
import { dialog } from '../store/dialogs.ts'
import { failures, mendNext } from '../store/failures.ts'
import { activeScenarios, findings, injections } from '../store/status.ts'

/** What changes the behaviour of this world, and the button that breaks the next call. */
export function StatusBar() {
  return (
    <div class="status-bar" role="group" aria-label="Status of this world">
      <Button
        look="plain"
        icon="bolt"
        label="Break the next one"
        aria-keyshortcuts="b"
        title="Make the next call of an operation fail, once (b)"
        act={() => (dialog.value = { kind: 'break' })}
      />
      <div class="chips">
        {injectionChips(injections.value, failures.value).map(({ ids, text }) => (
          <span key={ids[0]} class="pill tone-failed">
            <Icon name="bolt" />
            <span class="cut">{text}</span>
            <button
              type="button"
              class="chip-close"
              aria-label={`Dismiss: ${text}`}
              onClick={() => void mendNext(ids)}
            >
              <Icon name="cross" />
            </button>
          </span>
        ))}
        {activeScenarios.value.map(name => (
          <LinkChip key={name} href={to('scenarios', name)} tone="running">
            <span class="cut">
              <span class="unseen">Scenario </span>
              {name} active
            </span>
          </LinkChip>
        ))}
        <ClockChip />
        {findings.value.length > 0 && (
          <LinkChip href={to('world', 'findings')} tone="expired">
            {counted(findings.value.length, 'finding')}
          </LinkChip>
        )}
      </div>
      <Button
        look="plain"
        icon="search"
        label="Do anything"
        title="Find and do anything (Ctrl+K)"
        aria-keyshortcuts="Control+K"
        act={() => (dialog.value = { kind: 'palette' })}
      />
    </div>
  )
}

function LinkChip({ href, tone, children }: { href: string; tone: string; children: ComponentChildren }) {
  return (
    <a class={`pill tone-${tone}`} href={href}>
      {children}
    </a>
  )
}

/** Shown only for a clock that does not run by itself. */
function ClockChip() {
  const mode = clock.value?.mode
  if (mode === undefined || mode === 'realtime') return null
  return (
    <button
      type="button"
      class="pill tone-queued"
      title={
        mode === 'manual' ? 'The clock is paused: run it' : 'The clock skips ahead with polls: run it instead'
      }
      onClick={() => void changeClock({ mode: 'realtime' })}
    >
      <Icon name="pause" />
      clock {mode === 'manual' ? 'paused' : 'auto'}
    </button>
  )
}
