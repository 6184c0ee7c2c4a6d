import { Button } from '../parts/button.tsx'
import './shell.css'
import { useEffect } from 'preact/hooks'
import { address, isWorldName, to, world } from '../store/address.ts'
import { pageTitle } from '../store/title.ts'
import { ClockBar } from './clock-bar.tsx'
import { Dialogs } from './dialogs.tsx'
import { Navigation } from './navigation.tsx'
import { NoSuchPage } from './no-such-page.tsx'
import { Notices } from './notices.tsx'
import { isPageName, pageTitles } from './page-names.ts'
import { pages } from './pages.tsx'
import { StatusBar } from './status-bar.tsx'
import { ThemeButton } from './theme-button.tsx'
import { WorldChooser } from './world-chooser.tsx'

/** The frame of every page: navigation, the status of the world, and the clock. */
export function Shell() {
  const { page, item } = address.value
  const current = isPageName(page) ? page : undefined
  const title = current === undefined ? 'No such page' : pageTitles[current]
  useEffect(() => {
    const place = world === 'default' ? '' : ` · ${world}`
    document.title = `${pageTitle.value ?? title}${place} · Generation Gateway emulator`
  }, [title, pageTitle.value])
  return (
    <div class="shell">
      <Button look="skip" act={skip}>
        Skip to the page
      </Button>
      <header>
        <div class="top">
          <a class="brand" href={to('tasks')} aria-label="Generation Gateway emulator, tasks">
            <img src={new URL('../icon.svg', import.meta.url).href} alt="" width="24" height="24" />
            <span>
              Gateway <span class="quiet">emulator</span>
            </span>
          </a>
          <Navigation />
          <div class="top-end">
            <WorldChooser />
            <ThemeButton />
          </div>
        </div>
        <StatusBar />
      </header>
      <main id="main" tabIndex={-1} aria-label={title}>
        {isWorldName && current ? (
          pages[current](item)
        ) : (
          <NoSuchPage
            what={isWorldName ? `page “${page}”` : `world “${world}”: a name has letters, digits, - and _`}
          />
        )}
      </main>
      <ClockBar />
      <Notices />
      <Dialogs />
    </div>
  )
}

function skip(): void {
  document.getElementById('main')?.focus()
}
