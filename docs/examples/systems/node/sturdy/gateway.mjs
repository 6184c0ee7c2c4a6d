// Calls of the gateway, repeated while that may help.
const { GATEWAY_URL, GATEWAY_KEY } = process.env
const tasks = `${GATEWAY_URL}/api/v3/contents/generations/tasks`
const headers = { Authorization: `Bearer ${GATEWAY_KEY}`, 'Content-Type': 'application/json' }
const answerMs = 30_000
// With longer and longer pauses: an outage of half a minute passes.
const mostAttempts = 10

export const pause = ms => new Promise(resolve => setTimeout(resolve, ms))

/** An error that says whether sending again may help, how long to wait before, and how often to try. */
function failure(message, { mayPass = false, waitMs = 0, attempts = mostAttempts } = {}) {
  return Object.assign(new Error(message), { mayPass, waitMs, attempts })
}

async function patiently(send) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send()
    } catch (error) {
      if (!error.mayPass || attempt >= error.attempts) throw error
      await pause(Math.max(error.waitMs, 50 * 2 ** attempt))
    }
  }
}

async function fetched(address, init) {
  let reply
  let bytes
  try {
    reply = await fetch(address, { ...init, signal: AbortSignal.timeout(answerMs) })
    bytes = Buffer.from(await reply.arrayBuffer())
  } catch (error) {
    throw failure(`no answer: ${error.message}`, { mayPass: true })
  }
  if (reply.ok) return bytes
  const waitMs = Number(reply.headers.get('retry-after') ?? 0) * 1000
  const mayPass = reply.status === 429 || reply.status >= 500
  throw failure(`the gateway answered ${reply.status}: ${bytes.toString().slice(0, 200)}`, {
    mayPass,
    waitMs,
  })
}

async function call(address, init) {
  const bytes = await fetched(address, { ...init, headers })
  try {
    return JSON.parse(bytes)
  } catch {
    throw failure('the answer is not JSON', { mayPass: true })
  }
}

async function findTask(name) {
  const { items } = await patiently(() => call(`${tasks}?page_size=100`))
  return items.find(task => task.safety_identifier === name)?.id
}

/** The task of this name: looked for before each attempt to create it. `isMine` is asked last before money is spent. */
export function taskOf(name, prompt, isMine) {
  const body = {
    model: 'model_a_25',
    content: [{ type: 'text', text: prompt }],
    ratio: '16:9',
    duration: 4,
    // Upstream returns it, so that the task is found again.
    safety_identifier: name,
  }
  return patiently(async () => {
    const found = await findTask(name)
    if (found) return found
    if (!(await isMine())) throw failure('another worker has this job')
    return (await call(tasks, { method: 'POST', body: JSON.stringify(body) })).id
  })
}

/** The link of a task that succeeded; after a quarter of an hour it gives up. */
export async function linkOf(id) {
  for (let poll = 0; poll < 180; poll++) {
    const task = await patiently(() => call(`${tasks}/${id}`))
    if (task.status === 'succeeded') {
      if (task.content?.video_url) return task.content.video_url
      throw failure('the task succeeded without a link')
    }
    if (task.status !== 'queued' && task.status !== 'running')
      throw failure(`the task is ${task.status}: ${task.error?.message ?? 'no reason given'}`)
    await pause(5000)
  }
  throw failure('the task takes longer than a quarter of an hour')
}

/** The boxes of an MP4 fill the file exactly, and begin with the right ones. */
function isMp4(bytes) {
  const kinds = []
  let at = 0
  while (at + 8 <= bytes.length) {
    const size = bytes.readUInt32BE(at)
    kinds.push(bytes.toString('latin1', at + 4, at + 8))
    if (size < 8) return false
    at += size
  }
  return at === bytes.length && kinds[0] === 'ftyp' && kinds.includes('moov')
}

/** The whole video; links are fetched without the key. */
export function download(link) {
  return patiently(async () => {
    const bytes = await fetched(link, {})
    if (isMp4(bytes)) return bytes
    throw failure('what the link gave is no whole MP4', { mayPass: true, attempts: 4 })
  })
}
