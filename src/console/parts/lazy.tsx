import type { ComponentType, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Empty } from './empty.tsx'

type Loaded<P> = { kind: 'waiting' } | { kind: 'here'; Part: ComponentType<P> } | { kind: 'failed' }

const Reading = () => <Empty title="Reading the page …" />

/** A component whose code the browser fetches when it is first shown; `Meanwhile` is shown until it is there. */
export function lazy<P extends object>(
  load: () => Promise<ComponentType<P>>,
  Meanwhile: ComponentType = Reading,
): (props: P) => JSX.Element {
  let known: ComponentType<P> | undefined
  return function Lazy(props: P) {
    const [loaded, setLoaded] = useState<Loaded<P>>(
      known ? { kind: 'here', Part: known } : { kind: 'waiting' },
    )
    useEffect(() => {
      if (known) return
      load().then(
        Part => {
          known = Part
          setLoaded({ kind: 'here', Part })
        },
        () => setLoaded({ kind: 'failed' }),
      )
    }, [])
    switch (loaded.kind) {
      case 'waiting':
        return <Meanwhile />
      case 'failed':
        return <Failed />
      case 'here':
        return <loaded.Part {...props} />
    }
  }
}

/** The emulator is gone, or another version of it runs now. */
function Failed() {
  return (
    <Empty title="This part of the page could not be loaded">
      <p>The emulator does not answer, or it was replaced by another version.</p>
      <button type="button" class="button" onClick={() => location.reload()}>
        Load the page again
      </button>
    </Empty>
  )
}
