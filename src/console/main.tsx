import { render } from 'preact'
import '../../fixtures/report/tokens.css'
import './styles/base.css'
import './styles/controls.css'
import { ConnectionBanner } from './shell/connection-banner.tsx'
import { Shell } from './shell/shell.tsx'
import { listenToKeys } from './shell/shortcuts.ts'
import { readAccounts } from './store/accounts.ts'
import { isWorldName } from './store/address.ts'
import { goLive } from './store/live.ts'
import { readModels } from './store/models.ts'
import { report } from './store/notices.ts'
import { readOperations } from './store/operations.ts'
import { keepPlaces } from './store/places.ts'
import { followStatus } from './store/status.ts'
import './store/theme.ts'

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
void report(readOperations)
if (isWorldName) void report(readAccounts)
void report(readModels)
