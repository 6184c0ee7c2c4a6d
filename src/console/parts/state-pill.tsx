import { isPlaying } from '../store/clock.ts'
import type { State } from '../store/shapes.ts'
import { Icon, type IconName } from './icons.tsx'

export const stateIcons: Readonly<Record<State, IconName>> = {
  queued: 'dots',
  running: 'run',
  succeeded: 'check',
  failed: 'cross',
  cancelled: 'stop',
  expired: 'hourglass',
}

export const states = Object.keys(stateIcons) as State[]

interface Props {
  state: State
  word: string
  /** True when the record of the task is gone: the state is what it was. */
  isGone?: boolean
}

/** A state in its family's own word, with its colour and sign. */
export function StatePill({ state, word, isGone = false }: Props) {
  if (isGone)
    return (
      <span class="pill tone-cancelled">
        <Icon name="stop" />
        was {word}
      </span>
    )
  return (
    <span class={`pill tone-${state}${state === 'running' && isPlaying.value ? ' turns' : ''}`}>
      <Icon name={stateIcons[state]} />
      {word}
    </span>
  )
}

/** The state that a family's own word means: the words of all families for a state begin alike. */
export function stateOfWord(word: string): State {
  const low = word.toLowerCase()
  if (low.startsWith('succe')) return 'succeeded'
  if (low.startsWith('fail')) return 'failed'
  if (low.startsWith('cancel')) return 'cancelled'
  if (low.startsWith('expire')) return 'expired'
  if (low.startsWith('run') || low.startsWith('process')) return 'running'
  return 'queued'
}
