/** Virtual moments and lengths in a readable form. Moments are UTC, as in the API. */

/** `08:04:11` */
export function timeOfDay(ms: number): string {
  return new Date(ms).toISOString().slice(11, 19)
}

/** `08:04:11.250` */
export function preciseTime(ms: number): string {
  return new Date(ms).toISOString().slice(11, 23)
}

/** `1 Mar 2026` */
export function day(ms: number): string {
  return dayFormat.format(ms)
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

const units: readonly [string, number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
]

/** The two largest units of a length: `1h 30m`, `12s`, `250ms`. */
export function span(ms: number): string {
  const whole = Math.abs(Math.round(ms))
  if (whole < 1000) return `${whole}ms`
  let rest = Math.round(whole / 1000) * 1000
  const parts: string[] = []
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0 && parts.length < 2) parts.push(`${count}${unit}`)
    else if (parts.length > 0) break
  }
  return parts.join(' ')
}

/** `in 12s`, `12s ago`, `now`. */
export function fromNow(at: number, now: number): string {
  if (Math.abs(at - now) < 500) return 'now'
  return at > now ? `in ${span(at - now)}` : `${span(now - at)} ago`
}

/** Credits without needless zeros. */
export function credits(amount: number): string {
  return String(Math.round(amount * 1e6) / 1e6)
}

/** Credits of a column, all with the same number of decimals, so that the decimal points are aligned. */
export function alignedCredits(amount: number, column: readonly number[]): string {
  const decimals = Math.max(0, ...column.map(one => credits(one).split('.')[1]?.length ?? 0))
  return amount.toFixed(decimals)
}

/** `1.2 MB` */
export function bytes(count: number): string {
  if (count < 1000) return `${count} B`
  if (count < 1_000_000) return `${Math.round(count / 1000)} kB`
  return `${(count / 1_000_000).toFixed(1)} MB`
}

/** The end of a long id: ids of one time begin alike. */
export function shortId(id: string): string {
  return id.length <= 16 ? id : `…${id.slice(-12)}`
}

/** `1 task`, `2 tasks`. */
export function counted(count: number, word: string): string {
  return `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`
}
