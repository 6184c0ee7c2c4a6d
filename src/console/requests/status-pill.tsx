import type { Entry } from '../store/shapes.ts'

/** An HTTP status, coloured by its class. A broken reply is red, whatever its status says. */
export function StatusPill({ status, broken }: Pick<Entry, 'status' | 'broken'>) {
  const isBroken = broken !== undefined || status === 0
  return (
    <span
      class={`pill tone-${isBroken ? 'failed' : toneOf(status)}`}
      title={isBroken ? words(status) : undefined}
    >
      {isBroken ? 'broken' : status}
    </span>
  )
}

function words(status: number): string {
  return status === 0 ? 'no reply was sent' : `the status says ${status}`
}

function toneOf(status: number): string {
  if (status >= 500) return 'failed'
  if (status >= 400) return 'expired'
  return status >= 300 ? 'queued' : 'succeeded'
}
