import { signal } from '@preact/signals'
import type { ComponentType, JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { isLive, isLost } from '../store/connection.ts'
import { Button } from './button.tsx'
import { Empty } from './empty.tsx'

const Reading = () => <Empty title="Reading the page …" />

/** A component whose code the browser fetches when it is first shown; `Meanwhile` is shown until the code has come. */
export function lazy<P extends object>(
  load: () => Promise<ComponentType<P>>,
  Meanwhile: ComponentType = Reading,
): (props: P) => JSX.Element {
  const loaded = signal<ComponentType<P> | 'failed' | undefined>(undefined)
  return function Lazy(props: P) {
    const Part = loaded.value
    useEffect(() => {
      if (typeof Part === 'function') return
      load().then(
        part => (loaded.value = part),
        () => (loaded.value = 'failed'),
      )
    }, [])
    if (Part === undefined) return <Meanwhile />
    return Part === 'failed' ? <Failed /> : <Part {...props} />
  }
}

/**
 * The emulator does not answer, or another version of it runs now. Browsers do not fetch a script again that failed once, so the
 * page is loaded again when the emulator is back.
 */
function Failed() {
  const wasLost = useRef(isLost.value)
  useEffect(() => {
    if (isLost.value) wasLost.current = true
    else if (wasLost.current && isLive.value) location.reload()
  }, [isLost.value, isLive.value])
  if (isLost.value || wasLost.current)
    return (
      <Empty title="This part of the page could not be loaded">
        <p>The emulator does not answer. The page is loaded again as soon as it does.</p>
      </Empty>
    )
  return (
    <Empty title="This part of the page could not be loaded">
      <p>Another version of the emulator may be running now.</p>
      <Button act={() => location.reload()}>Load the page again</Button>
    </Empty>
  )
}
