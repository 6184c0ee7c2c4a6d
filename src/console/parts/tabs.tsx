import type { ComponentChildren } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'

interface Tab {
  name: string
  content: () => ComponentChildren
}

/** Tabs by the usual keyboard: arrows move, the content follows. */
export function Tabs({ label, tabs, first }: { label: string; tabs: readonly Tab[]; first?: string }) {
  const id = useId()
  const [chosen, setChosen] = useState(first ?? tabs[0]?.name)
  const current = tabs.find(({ name }) => name === chosen) ?? tabs[0]
  useEffect(() => {
    // Scrolls the row of tabs only; scrollIntoView would scroll the page too.
    const tab = document.getElementById(`${id}-${current?.name}`)
    const row = tab?.parentElement
    if (tab && row) row.scrollLeft = tab.offsetLeft - row.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2
  }, [current?.name])
  const move = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (by === 0 || !current) return
    const next = tabs[(tabs.indexOf(current) + by + tabs.length) % tabs.length]
    setChosen(next?.name)
    document.getElementById(`${id}-${next?.name}`)?.focus()
  }
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(({ name }) => (
          <button
            key={name}
            id={`${id}-${name}`}
            type="button"
            role="tab"
            aria-selected={name === current?.name}
            aria-controls={`${id}-panel`}
            tabIndex={name === current?.name ? 0 : -1}
            onClick={() => setChosen(name)}
          >
            {name}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${current?.name}`}>
        {current?.content()}
      </div>
    </>
  )
}
