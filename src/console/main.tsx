import { render } from 'preact'
import '../../fixtures/report/tokens.css'
import './styles/base.css'
import './styles/controls.css'
import { ConnectionBanner } from './shell/connection-banner.tsx'
import { Shell } from './shell/shell.tsx'
import { listenToKeys } from './shell/shortcuts.ts'
import { isWorldName } from './store/address.ts'
import { readBasics } from './store/basics.ts'
import { goLive } from './store/live.ts'
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
readBasics()
