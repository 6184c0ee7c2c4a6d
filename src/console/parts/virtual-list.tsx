import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import './virtual-list.css'

interface Props<T> {
  items: readonly T[]
  label: string
  /** Every row is this high, in px. */
  rowHeight: number
  keyOf: (item: T) => string | number
  row: (item: T, index: number) => ComponentChildren
  /** Under which the place is kept while another page is shown. */
  place?: string
  /** The key of the row that was open before: it gets the focus back. */
  cameFrom?: string | undefined
  /** Gets the rows that can be seen, first and last. */
  onSeen?: (first: number, last: number) => void
}

const spare = 6
/** How far each list was scrolled, by its place. */
const scrolled = new Map<string, number>()

/** A list that draws only the rows that can be seen. Arrow keys, Home and End move between the rows' links. */
export function VirtualList<T>({ items, label, rowHeight, keyOf, row, place, cameFrom, onSeen }: Props<T>) {
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 800 })

  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    if (place !== undefined) element.scrollTop = scrolled.get(place) ?? 0
    const look = () => {
      if (place !== undefined) scrolled.set(place, element.scrollTop)
      setView({ top: element.scrollTop, height: element.clientHeight })
    }
    look()
    element.addEventListener('scroll', look, { passive: true })
    const observer = new ResizeObserver(look)
    observer.observe(element)
    return () => {
      element.removeEventListener('scroll', look)
      observer.disconnect()
    }
  }, [])

  const first = Math.max(0, Math.floor(view.top / rowHeight))
  const last = Math.min(items.length - 1, Math.ceil((view.top + view.height) / rowHeight))
  useLayoutEffect(() => onSeen?.(first, last), [first, last, items, onSeen])

  const from = Math.max(0, first - spare)
  const drawn = items.slice(from, last + 1 + spare)
  const focus = (index: number) => {
    const element = box.current
    if (!element || index < 0 || index >= items.length) return
    const top = index * rowHeight
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = top + rowHeight - element.clientHeight
    // The row may have to be drawn first.
    requestAnimationFrame(() =>
      requestAnimationFrame(() =>
        element.querySelector<HTMLElement>(`[data-index="${index}"] a`)?.focus({ preventScroll: true }),
      ),
    )
  }
  useEffect(() => {
    const index = cameFrom === undefined ? -1 : items.findIndex(item => String(keyOf(item)) === cameFrom)
    if (index >= 0 && document.activeElement === document.body) focus(index)
  }, [])
  const move = (event: KeyboardEvent) => {
    const at = Number((event.target as HTMLElement).closest<HTMLElement>('[data-index]')?.dataset.index ?? -1)
    const page = Math.max(1, Math.floor(view.height / rowHeight) - 1)
    const target = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: items.length - 1,
    }[event.key]
    if (target === undefined) return
    event.preventDefault()
    focus(Math.min(items.length - 1, Math.max(0, target)))
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys move between the links in it.
    <div class="virtual" ref={box} onKeyDown={move}>
      <div
        class="virtual-rows"
        role="list"
        aria-label={label}
        style={{ height: `${items.length * rowHeight}px` }}
      >
        {drawn.map((item, i) => (
          <div
            key={keyOf(item)}
            class="virtual-row"
            role="listitem"
            aria-setsize={items.length}
            aria-posinset={from + i + 1}
            data-index={from + i}
            style={{ height: `${rowHeight}px`, transform: `translateY(${(from + i) * rowHeight}px)` }}
          >
            {row(item, from + i)}
          </div>
        ))}
      </div>
    </div>
  )
}
