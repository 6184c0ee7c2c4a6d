// A worker that may die at any moment: what it needs to go on is kept before it needs it.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { download, linkOf, pause, taskOf } from './gateway.mjs'
import { drop, isMine, jobOf, liveOn, note, take, takeBack } from './queue.mjs'

const videos = join(process.env.STATE, 'videos')
mkdirSync(videos, { recursive: true })

/** A file has its name only when it is whole. Another worker that makes the same one has a part of its own. */
function keep(name, bytes) {
  const part = join(videos, `${name}.${process.pid}.part`)
  writeFileSync(part, bytes)
  renameSync(part, join(videos, name))
}

async function make({ id, prompt, task: known }) {
  const task = known ?? (await taskOf(id, prompt, () => isMine(id)))
  // Before it polls: whoever takes this job next goes on with this task.
  await note(id, { status: 'working', task })
  keep(`${id}.mp4`, await download(await linkOf(task)))
}

async function work(id) {
  const job = await jobOf(id)
  if (job.status === 'queued' || job.status === 'working') {
    let end = { status: 'done' }
    try {
      await make(job)
    } catch (error) {
      // What Redis or the disk did not do is tried again; what the gateway refused is told to the user.
      if (error.mayPass === undefined) throw error
      end = { status: 'failed', message: error.message }
    }
    if (!(await isMine(id))) return
    await note(id, end)
  }
  await drop(id)
}

await liveOn()
for (;;) {
  try {
    await takeBack()
    const id = await take()
    if (id) await work(id)
    else await pause(500)
  } catch (error) {
    console.error(error.message)
    await pause(1000)
  }
}
