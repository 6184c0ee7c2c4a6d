import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { address, to } from '../store/address.ts'
import { mainPages, menuPages, type PageName, pageTitles } from './page-names.ts'

/** The pages that are used all day, and a menu for the others. */
export function Navigation() {
  const { page } = address.value
  const entry = (name: PageName) => (
    <a key={name} href={to(name)} aria-current={name === page ? 'page' : undefined}>
      {pageTitles[name]}
    </a>
  )
  return (
    <nav class="pages" aria-label="Pages">
      {mainPages.map(entry)}
      <Menu current={menuPages.find(name => name === page)}>
        {menuPages.map(entry)}
        <a href="guide">Guide</a>
      </Menu>
    </nav>
  )
}

function Menu({ current, children }: { current: PageName | undefined; children: ComponentChildren }) {
  const box = useRef<HTMLDetailsElement>(null)
  const close = () => box.current?.removeAttribute('open')
  useEffect(close, [address.value])
  return (
    <details
      ref={box}
      class="menu"
      onFocusOut={event => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) close()
      }}
      onKeyDown={event => {
        if (event.key !== 'Escape') return
        close()
        box.current?.querySelector('summary')?.focus()
      }}
    >
      <summary aria-current={current && 'true'}>{current ? pageTitles[current] : 'More'}</summary>
      <div class="card">{children}</div>
    </details>
  )
}
