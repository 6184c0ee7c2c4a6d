/** An HTTP status, coloured by its class. */
export function StatusPill({ status }: { status: number }) {
  return <span class={`pill tone-${toneOf(status)}`}>{status === 0 ? 'broken' : status}</span>
}

function toneOf(status: number): string {
  if (status === 0 || status >= 500) return 'failed'
  if (status >= 400) return 'expired'
  return status >= 300 ? 'queued' : 'succeeded'
}
