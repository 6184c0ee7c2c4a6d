import { effect } from '@preact/signals'
import type { ImgHTMLAttributes } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { acting } from '../store/api.ts'

/** Browsers open six connections to a host, and the events hold one: pictures leave the others to what is clicked. */
const mostAtOnce = 2
const loading = new Set<object>()
const waiting = new Map<object, () => void>()

/** Lets the next pictures begin; none while an action is under way. */
function beginNext(): void {
  for (const [picture, begin] of waiting) {
    if (loading.size >= mostAtOnce || acting.value > 0) return
    waiting.delete(picture)
    loading.add(picture)
    begin()
  }
}
effect(() => {
  if (acting.value === 0) beginNext()
})

function endOf(picture: object): void {
  waiting.delete(picture)
  if (loading.delete(picture)) beginNext()
}

type Props = ImgHTMLAttributes<HTMLImageElement> & { src: string; alt: string }

/** A picture of the emulator, which may have to make it first: it is asked for when its turn comes. */
export function Picture({ src, alt, onError, ...rest }: Props) {
  const element = useRef<HTMLImageElement>(null)
  const [isTurn, setTurn] = useState(false)
  useEffect(() => {
    waiting.set(element, () => setTurn(true))
    beginNext()
    return () => {
      // Without an address, the browser gives up what it has not read yet.
      element.current?.removeAttribute('src')
      endOf(element)
    }
  }, [])
  return (
    <img
      ref={element}
      {...(isTurn && { src })}
      alt={alt}
      {...rest}
      onLoad={() => endOf(element)}
      onError={event => {
        endOf(element)
        onError?.(event)
      }}
    />
  )
}
