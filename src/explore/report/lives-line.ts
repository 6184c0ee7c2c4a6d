import type { LifeRow } from '../judge/row.ts'

const width = 760
const laneHeight = 34
const left = 60
const right = 20

/** Both lives of a program on one line of virtual time, as SVG: a mark for each call, and a cross where the program was killed. */
export function livesLine(lives: readonly LifeRow[]): string {
  const moments = lives.flatMap(({ calls }) => calls.map(({ at }) => Date.parse(at)))
  if (moments.length === 0) return ''
  const from = Math.min(...moments)
  const span = Math.max(1, Math.max(...moments) - from)
  const place = (at: string) => Math.round(left + ((Date.parse(at) - from) / span) * (width - left - right))
  const lanes = lives.map((life, index) => laneOf(life, { index, place, isKilled: index < lives.length - 1 }))
  const height = lives.length * laneHeight + 22
  const seconds = (span / 1000).toFixed(1)
  return `<svg class="lives" viewBox="0 0 ${width} ${height}" role="img" aria-label="Both lives on one line of time, ${seconds} s">${lanes.join('')}<text x="${left}" y="${height - 4}">0 s</text><text x="${width - right}" y="${height - 4}" text-anchor="end">${seconds} s</text></svg>`
}

interface Lane {
  index: number
  place(at: string): number
  isKilled: boolean
}

function laneOf({ calls, exit }: LifeRow, { index, place, isKilled }: Lane): string {
  const y = index * laneHeight + laneHeight / 2
  const last = calls.at(-1)
  const marks = calls.map(call => {
    const what = `${call.operation}#${call.nth}${call.status === 0 ? ', held' : ` -> ${call.status}`}`
    const isEnd = isKilled && call === last
    const mark = isEnd
      ? `<path d="M${place(call.at) - 5} ${y - 5}l10 10m0-10l-10 10" class="killed"/>`
      : `<circle cx="${place(call.at)}" cy="${y}" r="4"/>`
    return `<g><title>${what}${isEnd ? ', killed here' : ''}</title>${mark}</g>`
  })
  const [first] = calls
  const line = first && last ? `<path d="M${place(first.at)} ${y}H${place(last.at)}" class="life"/>` : ''
  const end =
    isKilled || !last
      ? ''
      : `<text x="${Math.min(place(last.at), width - 90)}" y="${y - 8}">ended with ${exit}</text>`
  return `<text x="0" y="${y + 4}">life ${index + 1}</text>${line}${marks.join('')}${end}`
}
