import { effect } from '@preact/signals'
import { address } from './address.ts'

/** The scroll position of each address, kept until the page is closed. */
const scrolled = new Map<string, number>()
const triesAtMost = 60
let current = location.hash

/** Keeps the scroll position of every address, and scrolls the current link of a navigation into view. */
export function keepPlaces(): void {
  addEventListener('scroll', remember, { capture: true, passive: true })
  effect(() => {
    void address.value
    current = location.hash
    requestAnimationFrame(() => comeBack(scrolled.get(current) ?? 0, triesAtMost))
  })
}

function remember({ target }: Event): void {
  if (target instanceof HTMLElement && target.id === 'main') scrolled.set(current, target.scrollTop)
}

/** Tries again for some frames: the page may be too short until its content is read. */
function comeBack(top: number, tries: number): void {
  const main = document.getElementById('main')
  if (!main) return
  main.scrollTop = top
  for (const link of document.querySelectorAll('nav [aria-current]'))
    link.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  if (main.scrollTop < top && tries > 0) requestAnimationFrame(() => comeBack(top, tries - 1))
}
