import type { Status } from '../../emulator/words.ts'
import { isPlaying } from '../store/clock.ts'
import { Icon, type IconName } from './icons.tsx'

export const stateIcons: Readonly<Record<Status, IconName>> = {
  queued: 'dots',
  running: 'run',
  succeeded: 'check',
  failed: 'cross',
  cancelled: 'stop',
  expired: 'hourglass',
}

export const states = Object.keys(stateIcons) as Status[]

interface Props {
  state: Status
  word: string
  /** True when the record of the task is gone: the state is what it was. */
  isGone?: boolean
}

/** A state in its family's own word, with its colour and sign. */
export function StatePill({ state, word, isGone = false }: Props) {
  const shown = isGone ? 'cancelled' : state
  return (
    <span class={`pill tone-${shown}${shown === 'running' && isPlaying.value ? ' turns' : ''}`}>
      <Icon name={stateIcons[shown]} />
      {isGone && 'was '}
      {word}
    </span>
  )
}
