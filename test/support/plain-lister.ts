import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Writes a program that lists its tasks once and reads a refusal as if it were a list, so that it crashes with a TypeError. It makes
 * no file and does without `fetch`, which Node compiles at its first use, so that exploring it is cheap. `before` is code that runs
 * first.
 */
export function plainLister(folder: string, before = ''): string[] {
  const path = join(folder, 'lister.mjs')
  writeFileSync(
    path,
    `import { get } from 'node:http'
import { json } from 'node:stream/consumers'
const { GATEWAY_EMULATOR_URL: url, GATEWAY_EMULATOR_KEY: key, GATEWAY_EMULATOR_CASE: name } = process.env
${before}
const options = { headers: { Authorization: 'Bearer ' + key } }
const reply = await new Promise((resolve, reject) => {
  get(url + '/api/v3/contents/generations/tasks', options, resolve).on('error', reject)
})
const { items } = await json(reply)
console.log(items.length, 'tasks')
`,
  )
  return ['node', path]
}
