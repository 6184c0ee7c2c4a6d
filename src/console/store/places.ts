import { effect } from '@preact/signals'
import { address } from './address.ts'

/** Where each address was scrolled to, as long as the page lives. */
const scrolled = new Map<string, number>()
const triesAtMost = 60
let current = location.hash

/** Keeps the place on every page: going back shows what was there. What is current in a bar of links is brought into view. */
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

/** The content may still be on its way, and the page too short until it is there. */
function comeBack(top: number, tries: number): void {
  const main = document.getElementById('main')
  if (!main) return
  main.scrollTop = top
  for (const link of document.querySelectorAll('nav [aria-current]'))
    link.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  if (main.scrollTop < top && tries > 0) requestAnimationFrame(() => comeBack(top, tries - 1))
}
