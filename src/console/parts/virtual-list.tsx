import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

interface Props<T> {
  items: readonly T[]
  label: string
  /** Every row is this high, in px. */
  rowHeight: number
  keyOf: (item: T) => string | number
  row: (item: T, index: number) => ComponentChildren
  /** The name under which the scroll position is kept while another page is shown. */
  place?: string
  /** The key of the row that was open before and gets the focus back. */
  cameFrom?: string | undefined
  /** The index of a row that is brought into view when it changes. */
  current?: number
  /** Called with the first and last visible row at every step of a scroll. */
  onSeen?: (first: number, last: number) => void
}

/** Rows are drawn and removed in blocks of this size, so that most frames of a scroll draw no row. */
const blockRows = 4
/** The rows that are drawn above and below the visible ones. */
const spare = 4

/** The visible part of the scroller: the block at its top, and its height in px. */
interface View {
  block: number
  height: number
}

/** The drawn rows, from the first to before the last. */
function rowsIn({ block, height }: View, rowHeight: number, count: number): { from: number; to: number } {
  const first = block * blockRows
  return {
    from: Math.max(0, first - spare),
    to: Math.min(count, first + blockRows + Math.ceil(height / rowHeight) + spare),
  }
}

const restMs = 150

/** Marks an element while it is scrolled; the stylesheet then leaves out effects that are slow in each frame. */
function markWhileScrolled(element: HTMLElement): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  return () => {
    if (timer === undefined) element.classList.add('scrolling')
    clearTimeout(timer)
    timer = setTimeout(() => {
      timer = undefined
      element.classList.remove('scrolling')
    }, restMs)
  }
}

/** How many rows each list was scrolled, by its place. A row's height depends on the width of the page. */
const scrolled = new Map<string, number>()

/** A list that draws only the visible rows. Arrow keys, Home and End move between the rows' links. */
export function VirtualList<T>(props: Props<T>) {
  const { items, label, rowHeight, keyOf, row, place, cameFrom, current, onSeen } = props
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState<View>({ block: 0, height: 800 })

  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    if (place !== undefined) element.scrollTop = (scrolled.get(place) ?? 0) * rowHeight
    const look = () => {
      const { scrollTop: top, clientHeight: height } = element
      if (place !== undefined) scrolled.set(place, top / rowHeight)
      const next = { block: Math.floor(top / (rowHeight * blockRows)), height }
      setView(last => (last.block === next.block && last.height === next.height ? last : next))
      onSeen?.(Math.floor(top / rowHeight), Math.ceil((top + height) / rowHeight))
    }
    const rest = markWhileScrolled(element)
    const follow = () => {
      look()
      rest()
    }
    look()
    element.addEventListener('scroll', follow, { passive: true })
    const observer = new ResizeObserver(look)
    observer.observe(element)
    return () => {
      element.removeEventListener('scroll', follow)
      observer.disconnect()
    }
  }, [rowHeight, place, onSeen])

  const { from, to } = rowsIn(view, rowHeight, items.length)
  const drawn = items.slice(from, to)
  const bringIntoView = (index: number) => {
    const element = box.current
    if (!element || index < 0 || index >= items.length) return
    const top = index * rowHeight
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = top + rowHeight - element.clientHeight
  }
  useEffect(() => {
    if (current !== undefined) bringIntoView(current)
  }, [current, rowHeight])
  const focus = (index: number) => {
    bringIntoView(index)
    // The row may have to be drawn first.
    requestAnimationFrame(() =>
      requestAnimationFrame(() =>
        box.current?.querySelector<HTMLElement>(`[data-index="${index}"] a`)?.focus({ preventScroll: true }),
      ),
    )
  }
  useEffect(() => {
    const index = cameFrom === undefined ? -1 : items.findIndex(item => String(keyOf(item)) === cameFrom)
    if (index >= 0 && document.activeElement === document.body) focus(index)
  }, [cameFrom])
  const move = (event: KeyboardEvent) => {
    const focused = Number(
      (event.target as HTMLElement).closest<HTMLElement>('[data-index]')?.dataset.index ?? -1,
    )
    const page = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / rowHeight) - 1)
    const target = {
      ArrowDown: focused + 1,
      ArrowUp: focused - 1,
      PageDown: focused + page,
      PageUp: focused - page,
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

/** The width of an element in px, and again whenever it changes; `first` until it is known. */
export function useWidth(box: RefObject<HTMLElement | null>, first: number): number {
  const [width, setWidth] = useState(first)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    setWidth(element.clientWidth)
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return width
}
