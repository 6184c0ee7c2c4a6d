// Does what two users do: each asks for a video, looks at it every five seconds, and fetches it. It ends with 0 when both were served.
const web = process.env.WEB_URL
// Longer than the worker's own limit, so that users see what it says.
const longestWaitMs = 20 * 60_000
const pause = ms => new Promise(resolve => setTimeout(resolve, ms))

/** One request of a page. A server that does not answer, or is out of order, is asked again as long as people wait. */
async function ask(path, init) {
  const until = Date.now() + longestWaitMs
  for (;;) {
    const reply = await fetch(web + path, { ...init, signal: AbortSignal.timeout(30_000) }).catch(
      () => undefined,
    )
    if (reply && reply.status < 500) return reply
    if (Date.now() > until) throw new Error('the web application does not answer')
    await pause(1000)
  }
}

async function use(prompt) {
  const body = JSON.stringify({ id: crypto.randomUUID(), prompt })
  const posted = await ask('/jobs', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
  let job = await posted.json()
  if (!posted.ok) throw new Error(`the web application refuses the job: ${job.message}`)
  const until = Date.now() + longestWaitMs
  while (job.status === 'queued' || job.status === 'working') {
    if (Date.now() > until) throw new Error(`job ${job.id} is still ${job.status} after 20 minutes`)
    await pause(5000)
    job = await (await ask(`/jobs/${job.id}`)).json()
  }
  if (job.status !== 'done') throw new Error(`the web application says: ${job.message}`)
  const video = await ask(`/jobs/${job.id}/video`)
  if (!video.ok) throw new Error(`the video is not served: ${video.status}`)
  await video.arrayBuffer()
}

const served = await Promise.allSettled(['a lighthouse at dawn', 'a kite over dunes'].map(use))
for (const { reason } of served) {
  if (!reason) continue
  console.error(reason.message)
  process.exitCode = 1
}
