import { useState } from 'preact/hooks'
import type { ClockView, WorldView } from '../../kits/views.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Select, submits } from '../parts/fields.tsx'
import { openWorld } from '../store/address.ts'
import { about } from '../store/api.ts'
import { closeDialog } from '../store/dialogs.ts'
import { complaint } from '../store/notices.ts'

const clocks: Readonly<Record<ClockView['mode'] | '', string>> = {
  '': 'as the emulator was started',
  realtime: 'runs with the wall clock',
  manual: 'paused: moves when it is advanced',
  auto: 'skips ahead with polls',
}

/** Names a new world, chooses its clock, and goes there. */
export function NewWorld() {
  const [id, setId] = useState('')
  const [mode, setMode] = useState('')
  const [fault, setFault] = useState('')
  const open = async () => {
    try {
      const body = { ...(id !== '' && { id }), ...(mode !== '' && { clock: { mode } }) }
      const made = await about<WorldView>('POST', '/worlds', body)
      closeDialog()
      openWorld(made.id)
    } catch (error) {
      setFault(complaint(error))
    }
  }
  return (
    <Dialog title="Open a new world" close={closeDialog}>
      <form class="new-world stack body-text" onSubmit={submits(open)}>
        <label>
          <span class="small quiet">Name</span>
          <input
            class="field"
            value={id}
            maxLength={64}
            pattern="[A-Za-z0-9_\-]{1,64}"
            title="Letters, digits, - and _"
            placeholder="a free name"
            autofocus
            onInput={event => setId(event.currentTarget.value)}
          />
        </label>
        <div>
          <span class="small quiet">Clock</span>
          <Select
            label="Clock"
            value={mode}
            options={Object.entries(clocks).map(([name, words]) => [
              name,
              name === '' ? words : `${name}: ${words}`,
            ])}
            choose={setMode}
          />
        </div>
        <p class="small quiet">
          Its key will be <code>sk-test-{id === '' ? '…' : id}</code>.
        </p>
        {fault !== '' && (
          <p class="remark tone-failed" role="alert">
            {fault}
          </p>
        )}
        <Button look="primary">Open</Button>
      </form>
    </Dialog>
  )
}
