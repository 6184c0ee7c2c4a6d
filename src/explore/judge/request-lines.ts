import type { RequestView } from '../../kits/views.ts'

/** The requests of a run, one line each, with the service of a system that sent it and the faults that acted on it. Equal requests in a row share a line. */
export function requestLines(requests: readonly RequestView[]): string[] {
  const lines: { text: string; times: number }[] = []
  for (const text of requests.map(lineOf)) {
    const last = lines.at(-1)
    if (last?.text === text) last.times++
    else lines.push({ text, times: 1 })
  }
  return lines.map(({ text, times }) => (times === 1 ? text : `${text} (${times} times)`))
}

function lineOf({ method, operation, path, status, connection, media, rule, service }: RequestView): string {
  const [place] = path.split('?')
  const done = [connection, media, rule].filter(Boolean).join(', ')
  const by = service === undefined ? '' : `${service}: `
  return `${by}${method} ${place} (${operation}) -> ${status}${done ? `: ${done}` : ''}`
}
