// A plain client as it is often written, with six weaknesses. `gateway-emulator explore` finds them:
//   npx --no-install gateway-emulator explore -- node plain-client.mjs
const { GATEWAY_EMULATOR_URL: url, GATEWAY_EMULATOR_KEY: key } = process.env
const tasks = `${url}/api/v3/contents/generations/tasks`
const pollMs = Number(process.env.POLL_MS ?? 5000)
const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
const body = JSON.stringify({
  model: 'model_a_25',
  content: [{ type: 'text', text: 'a lighthouse at dawn' }],
  ratio: '16:9',
  duration: 4,
})

// 1. Sends the create again after every failure: a create whose reply was lost is charged twice.
// 2. Sends it again at once and ignores Retry-After.
async function create() {
  for (let attempt = 1; attempt <= 3; attempt++) {
    try {
      const reply = await fetch(tasks, { method: 'POST', headers, body, signal: AbortSignal.timeout(5000) })
      if (reply.ok) return (await reply.json()).id
    } catch {
      // Once more.
    }
  }
  throw new Error('the create did not succeed')
}

const id = await create()
for (;;) {
  // 3. No time-out: without a reply it waits five minutes, until fetch itself gives up with an error that nobody catches.
  const reply = await fetch(`${tasks}/${id}`, { headers })
  // 4. Gives up a charged task after one refused poll.
  if (!reply.ok) throw new Error(`the poll was refused: ${reply.status}`)
  const task = await reply.json()
  // 5. Knows two of four final states: polls an expired or cancelled task for ever.
  if (task.status === 'failed') throw new Error(`the task failed: ${task.error.message}`)
  if (task.status === 'succeeded') {
    // 6. Accepts every reply of the link as the video.
    const file = await fetch(task.content.video_url)
    console.log(`saved ${(await file.arrayBuffer()).byteLength} bytes`)
    break
  }
  await new Promise(resolve => setTimeout(resolve, pollMs))
}
