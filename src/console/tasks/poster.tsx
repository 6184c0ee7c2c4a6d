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

/** Whether a task of a kind makes something to look at: some make a text or a sound. */
export function hasPicture(kind: string): boolean {
  return !kind.endsWith('enhance') && kind !== 'k.voice'
}

/** A small picture of the result of a task, or a sign when there is none. */
export function Poster({ task: { id, kind }, state }: { task: TaskLine; state: Status | undefined }) {
  const [isResting, setResting] = useState(false)
  const [isMissing, setMissing] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setResting(true), restMs)
    return () => clearTimeout(timer)
  }, [])
  const isWithout = isMissing || !hasPicture(kind)
  if (state === 'succeeded' && isResting && !isWithout)
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
  const isKnown = state && isOver(state) && (state !== 'succeeded' || isWithout)
  return (
    <span class="poster none" aria-hidden="true">
      <Icon name={isKnown ? stateIcons[state] : 'picture'} />
    </span>
  )
}
