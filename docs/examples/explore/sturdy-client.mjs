// The same client, robust: it retries only transient failures, finds a task whose create got no reply, gives up with its own
// message, and checks the file before it reports success.
// It keeps nothing: when it dies it makes a new video. resuming-client.mjs shows how not to.
//   npx --no-install gateway-emulator explore -- node sturdy-client.mjs
const { GATEWAY_EMULATOR_URL: url, GATEWAY_EMULATOR_KEY: key } = process.env
const tasks = `${url}/api/v3/contents/generations/tasks`
const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
const answerMs = Number(process.env.ANSWER_MS ?? 30_000)
const pollMs = Number(process.env.POLL_MS ?? 5000)
// With the pause between two polls, a quarter of an hour.
const mostPolls = 180
const body = {
  model: 'model_a_25',
  content: [{ type: 'text', text: 'a lighthouse at dawn' }],
  ratio: '16:9',
  duration: 4,
  // Upstream returns it, so that the task can be found again.
  safety_identifier: `run-${process.pid}`,
}

class Refused extends Error {
  constructor(status, text) {
    super(`the gateway answered ${status}: ${text.slice(0, 200)}`)
    this.mayPass = status === 429 || status >= 500
    this.isDone = false
  }
}

const pause = ms => new Promise(resolve => setTimeout(resolve, ms))

/** One call: JSON, or an error that says whether sending it again may help, and whether it may have been carried out. */
async function call(address, init = {}) {
  let reply
  let text
  try {
    reply = await fetch(address, { ...init, headers, signal: AbortSignal.timeout(answerMs) })
    text = await reply.text()
  } catch (cause) {
    throw Object.assign(new Error(`no answer: ${cause.message}`, { cause }), { mayPass: true, isDone: true })
  }
  if (!reply.ok)
    throw Object.assign(new Refused(reply.status, text), {
      waitMs: Number(reply.headers.get('retry-after') ?? 0) * 1000,
    })
  try {
    return JSON.parse(text)
  } catch {
    throw Object.assign(new Error('the answer is not JSON'), { mayPass: true, isDone: true })
  }
}

// With longer and longer pauses: an outage of half a minute passes.
const mostAttempts = 10

/** Calls again while that may help; `beforeAgain` may find that nothing needs to be sent again. */
async function patiently(send, beforeAgain = async () => undefined) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send()
    } catch (error) {
      if (!error.mayPass || attempt === (error.attempts ?? mostAttempts)) throw error
      await pause(Math.max(error.waitMs ?? 0, 50 * 2 ** attempt))
      const found = error.isDone ? await beforeAgain() : undefined
      if (found !== undefined) return found
    }
  }
}

/** The task that a create without a reply may have made: the newest one that did not exist before. */
async function lostTask(known) {
  const { items } = await patiently(() => call(`${tasks}?page_size=20`))
  return items.find(task => !known.has(task.id))
}

/** The boxes of an MP4 fill the file exactly, and begin with the right ones. */
function isMp4(bytes) {
  const view = new DataView(bytes)
  const kinds = []
  let at = 0
  while (at + 8 <= view.byteLength) {
    const size = view.getUint32(at)
    kinds.push(String.fromCharCode(...new Uint8Array(bytes, at + 4, 4)))
    if (size < 8) return false
    at += size
  }
  return at === view.byteLength && kinds[0] === 'ftyp' && kinds.includes('moov')
}

/** A result link, fetched without the key. */
async function download(link) {
  let reply
  try {
    reply = await fetch(link, { signal: AbortSignal.timeout(answerMs) })
    const bytes = await reply.arrayBuffer()
    if (!reply.ok)
      throw Object.assign(new Error(`the link answered ${reply.status}`), { mayPass: reply.status >= 500 })
    if (!isMp4(bytes))
      throw Object.assign(new Error('what the link gave is no whole MP4'), { mayPass: true, attempts: 4 })
    return bytes
  } catch (error) {
    throw Object.assign(
      error.mayPass === undefined ? new Error(`the download broke off: ${error.message}`) : error,
      {
        mayPass: error.mayPass ?? true,
      },
    )
  }
}

async function main() {
  const known = new Set((await patiently(() => call(`${tasks}?page_size=20`))).items.map(task => task.id))
  const { id } = await patiently(
    () => call(tasks, { method: 'POST', body: JSON.stringify(body) }),
    () => lostTask(known),
  )
  for (let poll = 1; ; poll++) {
    const task = await patiently(() => call(`${tasks}/${id}`))
    if (task.status === 'succeeded') {
      if (!task.content?.video_url) throw new Error('the task succeeded without a link')
      const bytes = await patiently(() => download(task.content.video_url))
      console.log(`saved ${bytes.byteLength} bytes`)
      return
    }
    if (task.status !== 'queued' && task.status !== 'running')
      throw new Error(`the task is ${task.status}: ${task.error?.message ?? 'no reason given'}`)
    if (poll === mostPolls) throw new Error(`the task is still ${task.status} after ${poll} polls`)
    await pause(pollMs)
  }
}

try {
  await main()
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
