import { render } from 'preact'
import { ConnectionBanner } from './shell/connection-banner.tsx'
import { listenToKeys } from './shell/keys.ts'
import { Shell } from './shell/shell.tsx'
import { isWorldName } from './store/address.ts'
import { goLive } from './store/live.ts'
import { keepPlaces } from './store/places.ts'
import { followStatus } from './store/status.ts'
import './shell/theme-button.tsx'
import { effect } from '@preact/signals'
import { readAccounts } from './store/accounts.ts'
import { isLost, isStale } from './store/connection.ts'
import { readModels } from './store/models.ts'
import { report } from './store/notices.ts'
import { readDocument } from './store/operations.ts'

const place = document.getElementById('console')
if (place)
  render(
    <>
      <ConnectionBanner />
      <Shell />
    </>,
    place,
  )
listenToKeys()
keepPlaces()
if (isWorldName) {
  goLive()
  followStatus()
}

// What every page needs and what seldom changes is read at the start, and again when the emulator is back.
effect(() => {
  if (isLost.value) return
  void report(() => readDocument())
  void report(readModels)
})
effect(() => {
  if (isWorldName && !isStale.value) void report(readAccounts)
})
