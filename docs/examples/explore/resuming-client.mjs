// A client that survives its own death: it keeps the name of its job before it creates a task, looks for the task before it creates it
// again, and renames the file when it is whole. Family A, which has a list of tasks.
//   npx --no-install gateway-emulator explore --restarts -- node resuming-client.mjs
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const { GATEWAY_EMULATOR_URL: url, GATEWAY_EMULATOR_KEY: key, GATEWAY_EMULATOR_STATE: folder } = process.env
const tasks = `${url}/api/v3/contents/generations/tasks`
const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
const records = join(folder, 'job.json')
const video = join(folder, 'video.mp4')

/** A file appears under its name only when it is whole. */
function keep(path, content) {
  writeFileSync(`${path}.part`, content)
  renameSync(`${path}.part`, path)
}

async function call(address, init = {}) {
  const reply = await fetch(address, { ...init, headers })
  if (!reply.ok) throw new Error(`the gateway answered ${reply.status}: ${await reply.text()}`)
  return reply.json()
}

/** The task of this job, which a life before may have made without learning its id. Upstream returns the identifier that was sent. */
async function taskOf(job) {
  const { items } = await call(`${tasks}?page_size=100`)
  return items.find(task => task.safety_identifier === job.name)?.id
}

function create(job) {
  const body = {
    model: 'model_a_25',
    content: [{ type: 'text', text: 'a lighthouse at dawn' }],
    ratio: '16:9',
    duration: 4,
    safety_identifier: job.name,
  }
  return call(tasks, { method: 'POST', body: JSON.stringify(body) })
}

async function finished(id) {
  for (;;) {
    const task = await call(`${tasks}/${id}`)
    if (task.status === 'succeeded') return task
    if (task.status !== 'queued' && task.status !== 'running') throw new Error(`the task is ${task.status}`)
    await new Promise(resolve => setTimeout(resolve, 5000))
  }
}

if (!existsSync(records)) keep(records, JSON.stringify({ name: `lighthouse-${crypto.randomUUID()}` }))
if (!existsSync(video)) {
  const job = JSON.parse(readFileSync(records, 'utf8'))
  job.id ??= (await taskOf(job)) ?? (await create(job)).id
  keep(records, JSON.stringify(job))
  const task = await finished(job.id)
  const file = await fetch(task.content.video_url)
  if (!file.ok) throw new Error(`the link answered ${file.status}`)
  keep(video, Buffer.from(await file.arrayBuffer()))
}
console.log(`the video is in ${video}`)
