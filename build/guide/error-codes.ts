import { familyOf } from '../../src/emulator/families/index.ts'
import { type Fault, FaultError, faults } from '../../src/emulator/faults/fault.ts'
import { familyIds } from '../../src/emulator/scenarios/operations.ts'
import { failuresOf } from '../../src/explore/plan/catalogue.ts'

const title = `# Error codes

What each injected fault looks like, by family: status, code, and Retry-After where the answer has one. The first rows are the failures
that [explore](explore.md) tries; the others are further faults of the scenario language, such as \`[[refuse:too_large]]\`. What the
emulator refuses by itself has the same statuses and codes, but for the second table.
`

const naturalTitle = `
## Where a refusal without a scenario differs

| Family | What happened | Answer |
|---|---|---|`

const contents = '/api/v3/contents/generations/tasks'
const synthesis = '/api/v1/services/aigc/video-generation/video-synthesis'
const text = { type: 'text', text: 'a kite' }
const input = (kind: 'image' | 'video', role: string, name: string) => ({
  type: `${kind}_url`,
  [`${kind}_url`]: { url: `{{samples}}/${name}` },
  role,
})
const face = input('image', 'first_frame', 'real-face.jpg')
const clip = input('video', 'reference_video', 'clip-720p-5s.mp4')
const images = '/api/v3/images/generations'
const image = { model: 'model_image', prompt: 'a kite' }
const clipOfC = { model: 'model_c', content: [text], resolution: '768P', duration: 5, ratio: '16:9' }
const tooMany = 'too many creates in a minute'
const made = { model: 'model_a_20', content: [text] }

/** A refusal of the emulator itself. `{task}` in a path is the task of the request before it; `state` is what it has become. */
export interface NaturalRefusal {
  family: string
  what: string
  answer: string
  method: 'POST' | 'GET' | 'DELETE'
  path: string
  body?: object
  state?: 'running' | 'cancelled'
  /** The request is sent until it is refused, by an account with few requests a minute. */
  isThrottled?: true
}

/** Refusals whose status, code or wait is another one than that of the fault. */
// biome-ignore format: a table, one row a line
export const naturalRefusals: readonly NaturalRefusal[] = [
  { family: 'A', what: 'DELETE of a running task', answer: '409 `InvalidAction.RunningTaskDeletion`', method: 'DELETE', path: `${contents}/{task}`, state: 'running' },
  { family: 'A', what: 'DELETE of a cancelled task', answer: '409 `InvalidAction.CancelledTaskDeletion`', method: 'DELETE', path: `${contents}/{task}`, state: 'cancelled' },
  { family: 'A', what: 'a broken task-type rule of 2.5', answer: '400 `InvalidParameter.TaskTypeConstraint`', method: 'POST', path: contents, body: { model: 'model_a_25', content: [text, clip], omni_reference_task_type: 'edit', ratio: '16:9' } },
  { family: 'A', what: 'a real face in a picture', answer: '403 `InputImageSensitiveContentDetected.PrivacyInformation`', method: 'POST', path: contents, body: { model: 'model_a_25', content: [text, face] } },
  { family: 'B', what: 'no `input`', answer: '400 `BadRequest.EmptyInput`', method: 'POST', path: synthesis, body: { model: 'model_b' } },
  { family: 'B', what: 'no `model`', answer: '400 `BadRequest.EmptyModel`', method: 'POST', path: synthesis, body: { input: { prompt: 'a kite' } } },
  { family: 'B', what: 'a poll of an unknown task', answer: '200 `UNKNOWN`', method: 'GET', path: '/api/v1/tasks/none' },
  { family: 'C', what: 'a poll of an unknown task', answer: '400 `bad_request_error`', method: 'GET', path: '/v2/query/video_generation/none' },
  { family: 'Image', what: 'a real face in a picture', answer: '403 `InputImageSensitiveContentDetected.PrivacyInformation`', method: 'POST', path: images, body: { ...image, image: '{{samples}}/real-face.jpg' } },
  { family: 'A', what: tooMany, answer: '429 `AccountRateLimitExceeded`, Retry-After 60', method: 'POST', path: contents, body: made, isThrottled: true },
  { family: 'B', what: tooMany, answer: '429 `Throttling.RateQuota`, Retry-After 60', method: 'POST', path: synthesis, body: { model: 'model_b', input: { prompt: 'a kite' } }, isThrottled: true },
  { family: 'C', what: tooMany, answer: '429 `rate_limit_error`, Retry-After 60', method: 'POST', path: '/v2/video_generation', body: clipOfC, isThrottled: true },
  { family: 'C-special', what: tooMany, answer: '429 `rate_limit_error`, Retry-After 60', method: 'POST', path: '/special/v2/video_generation', body: clipOfC, isThrottled: true },
  { family: 'K', what: tooMany, answer: '429 `1302`, Retry-After 60', method: 'POST', path: '/image-to-video/model_k_30', body: { prompt: 'a kite', contents: [{ type: 'first_frame', url: '{{samples}}/landscape.jpg' }] }, isThrottled: true },
  { family: 'Image', what: tooMany, answer: '429 `RateLimitExceeded`, Retry-After 60', method: 'POST', path: images, body: image, isThrottled: true },
  { family: 'any', what: 'a path that does not exist', answer: '404 `not_found`', method: 'GET', path: '/nowhere' },
]

/** The reference of error codes as Markdown, from the catalogue and the families' own dialects. */
export function errorCodes(): string {
  const refusals = failuresOf().filter(({ kind }) => kind === 'refusal')
  const ids = [...new Set(refusals.map(({ id }) => id))]
  const head = ['Failure', ...familyIds.map(id => familyOf(id).title.split(':')[0] ?? id)]
  const others = faults.filter(fault => !ids.includes(fault))
  const rows = [...ids, ...others].map(id => {
    const cells = familyIds.map(family => {
      const found = refusals.find(one => one.id === id && one.operation.startsWith(`${family}.`))
      if (!ids.includes(id)) return refusalIn(family, { fault: id as Fault })
      return found ? refusalIn(family, found.then.refuse as Told) : ''
    })
    return `| \`${id}\` | ${cells.join(' | ')} |`
  })
  const natural = naturalRefusals.map(({ family, what, answer }) => `| ${family} | ${what} | ${answer} |`)
  const table = [`| ${head.join(' | ')} |`, `|${head.map(() => '---|').join('')}`, ...rows]
  return [title, ...table, naturalTitle, ...natural, ''].join('\n')
}

/** A refusal as the words of a scenario say it. */
interface Told {
  fault: Fault
  retry_after?: string
}

/** Status and code of a refusal in a family, as Markdown. */
export function refusalIn(family: (typeof familyIds)[number], { fault, retry_after }: Told): string {
  const { status, body } = familyOf(family).dialect.error(new FaultError(fault), { requestId: 'id' })
  const { error = {}, code } = body as {
    error?: { code?: string; type?: string; http_code?: string }
    code?: string
  }
  const word = code ?? error.code ?? error.type ?? ''
  return `${status} \`${word}\`${retry_after ? `, Retry-After ${Number.parseInt(retry_after, 10)}` : ''}`
}
