import { useEffect, useState } from 'preact/hooks'
import type { Status } from '../../emulator/words.ts'
import type { TaskLine } from '../../kits/views.ts'
import { Icon } from '../parts/icons.tsx'
import { Picture } from '../parts/picture.tsx'
import { stateIcons } from '../parts/state-pill.tsx'
import { isOver } from '../parts/states.ts'
import { controlPath } from '../store/api.ts'

/** A row requests its picture only after this time in view, not while it is scrolled past. Wall ms. */
const restMs = 150

/** Where a small picture of a succeeded task is. */
export function posterAddress(id: string): string {
  return controlPath(`/tasks/${encodeURIComponent(id)}/poster`)
}

/** A small picture of the result of a task, or a sign when there is none. */
export function Poster({ task: { id, kind }, state }: { task: TaskLine; state: Status | undefined }) {
  const [isResting, setResting] = useState(false)
  const [isMissing, setMissing] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setResting(true), restMs)
    return () => clearTimeout(timer)
  }, [])
  // Such a task makes a text.
  const isText = kind.endsWith('enhance')
  if (state === 'succeeded' && isResting && !isMissing && !isText)
    return (
      <Picture
        class="poster"
        src={posterAddress(id)}
        alt=""
        width={42}
        height={26}
        decoding="async"
        onError={() => setMissing(true)}
      />
    )
  const isKnown = state && isOver(state) && (state !== 'succeeded' || isMissing || isText)
  return (
    <span class="poster none" aria-hidden="true">
      <Icon name={isKnown ? stateIcons[state] : 'picture'} />
    </span>
  )
}
