// What must hold whatever failed: no job is lost, none was made twice, and a video is a video.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const { WEB_URL: web, STATE: state } = process.env
const get = async path => fetch(web + path, { signal: AbortSignal.timeout(30_000) })

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

const wrong = []
const jobs = await (await get('/jobs')).json()
if (jobs.length !== 2) wrong.push(`two users asked, and there are ${jobs.length} jobs`)
for (const { id, status, message } of jobs) {
  if (status === 'queued' || status === 'working') wrong.push(`job ${id} is still ${status}`)
  if (status === 'failed' && !message) wrong.push(`job ${id} failed without a reason`)
  if (status !== 'done') continue
  const video = await get(`/jobs/${id}/video`)
  if (!isMp4(await video.arrayBuffer())) wrong.push(`the video of job ${id} is no whole MP4`)
}
const files = readdirSync(join(state, 'videos')).filter(name => name.endsWith('.mp4'))
const done = jobs.filter(({ status }) => status === 'done')
if (files.length > done.length)
  wrong.push(`${done.length} jobs are done, and there are ${files.length} videos`)
for (const line of wrong) console.error(line)
process.exitCode = wrong.length > 0 ? 1 : 0
