/** What an exchange has otherwise than a list of family A that succeeds. */
interface Parts {
  request?: object
  response?: object
  [more: string]: unknown
}

/** A HAR file as browsers save it, without the emulator's facts. */
export function plainHar(...exchanges: Parts[]): string {
  const url = 'http://gateway/api/v3/contents/generations/tasks'
  const entries = exchanges.map(({ request, response, ...more }) => ({
    ...{ startedDateTime: '2026-01-01T00:00:00.000Z', time: 1 },
    request: { method: 'GET', url, headers: [], ...request },
    response: { status: 200, headers: [], content: {}, ...response },
    ...more,
  }))
  return JSON.stringify({ log: { version: '1.2', entries } })
}
