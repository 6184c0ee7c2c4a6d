/** One server-sent event. */
export interface Heard {
  id: number
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: events of every kind
  data: any
}

/** An open stream of events. */
export type Listener = Awaited<ReturnType<typeof listenTo>>

/** Listens to `GET /__emulator/worlds/{world}/events` from now on, or from an event on. */
export async function listenTo(url: string, world: string, lastId?: number | string) {
  const gone = new AbortController()
  const reply = await fetch(`${url}/__emulator/worlds/${world}/events`, {
    signal: gone.signal,
    ...(lastId !== undefined && { headers: { 'Last-Event-ID': String(lastId) } }),
  })
  const heard: Heard[] = []
  let comments = 0
  const waiting = new Set<() => void>()
  const read = (block: string) => {
    if (block.startsWith(':')) comments++
    else heard.push(readBlock(block))
    for (const look of waiting) look()
  }
  let isOver = false
  const ended = readBlocks(reply, read)
    .catch(() => {})
    .then(() => {
      isOver = true
      for (const look of waiting) look()
    })
  /** Resolves with the first event that matches; fails when the stream ends without one. */
  const until = (fits: (event: Heard) => boolean) =>
    new Promise<Heard>((resolve, reject) => {
      const look = () => {
        const found = heard.find(fits)
        if (found) resolve(found)
        else if (isOver)
          reject(new Error(`not heard; heard were ${heard.map(({ event }) => event).join(', ')}`))
        else return
        waiting.delete(look)
      }
      waiting.add(look)
      look()
    })
  return {
    reply,
    heard,
    /** How many comments came: the greeting and the heartbeats. */
    comments: () => comments,
    until,
    ended,
    leave: () => gone.abort(),
  }
}

async function readBlocks(reply: Response, onBlock: (block: string) => void): Promise<void> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of reply.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    blocks.forEach(onBlock)
  }
}

function readBlock(block: string): Heard {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? ''
  return { id: Number(field('id')), event: field('event'), data: JSON.parse(field('data')) }
}
