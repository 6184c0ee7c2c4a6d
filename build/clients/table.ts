import type { Client } from './clients.ts'
import { type Bill, digestOf, type Measured } from './measure.ts'

/** The rows of the table of measured clients. A client that was not measured yet has none. */
export function clientTable(
  clients: readonly Client[],
  measured: Readonly<Record<string, Measured>>,
): string {
  const rows = clients.flatMap(client => {
    const shown = measured[client.id]
    return shown ? [rowOf(client, shown)] : []
  })
  const head = ['Client', 'Cases', 'Bill', 'Weaknesses', 'What its maintainers could do']
  return [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')
}

function rowOf({ name, found, advice, readFor }: Client, shown: Measured): string[] {
  const named = name.replace(/\{([^}]+)\}/g, (_, key: string) => shown.versions[key] ?? '')
  const isRead = readFor === digestOf(shown)
  return [
    `${named}, ${shown.runtime}, on ${shown.on}`,
    String(Object.keys(shown.cases).length),
    billText(shown.bill),
    `${isRead ? '' : '*Other verdicts than when this was written:* '}${found}`,
    advice,
  ]
}

function billText({ lost, twice }: Bill): string {
  const parts = [
    lost.cases > 0 && `lost ${lost.credits} credits in ${lost.cases} case${lost.cases === 1 ? '' : 's'}`,
    twice.cases > 0 && `paid ${twice.credits} twice in ${twice.cases}`,
  ].filter(Boolean)
  return parts.length > 0 ? parts.join(', ') : 'the same'
}

/** What is other than at the last measurement, a line each: versions, runtime, and each verdict that came, went or changed. */
export function changesOf(before: Measured, after: Measured): string[] {
  const versions = Object.entries(after.versions)
    .filter(([name, version]) => before.versions[name] !== version)
    .map(([name, version]) => `${name} ${before.versions[name] ?? 'none'} -> ${version}`)
  const runtime = before.runtime === after.runtime ? [] : [`${before.runtime} -> ${after.runtime}`]
  const cases = [...new Set([...Object.keys(before.cases), ...Object.keys(after.cases)])]
  const verdicts = cases
    .filter(one => before.cases[one] !== after.cases[one])
    .map(one => `${one}: ${before.cases[one] ?? 'not a case'} -> ${after.cases[one] ?? 'not a case'}`)
  return [...versions, ...runtime, ...verdicts]
}
