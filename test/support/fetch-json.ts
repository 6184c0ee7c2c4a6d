/** Sends a request with this key, or with none; a text is sent as it is. The body of an empty reply is undefined. */
export async function fetchJson(url: string, method: string, body: unknown, key: string | null) {
  const reply = await fetch(url, {
    method,
    headers: {
      ...(key !== null && { Authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await reply.text()
  return { status: reply.status, body: text === '' ? undefined : JSON.parse(text) }
}
