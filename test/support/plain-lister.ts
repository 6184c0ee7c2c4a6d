import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Writes a program that lists its tasks once and reads a refusal as if it were a list, so that it crashes with a TypeError. It makes
 * no file, so that exploring it is cheap. `before` is code that runs first.
 */
export function plainLister(folder: string, before = ''): string[] {
  const path = join(folder, 'lister.mjs')
  writeFileSync(
    path,
    `const { GATEWAY_EMULATOR_URL: url, GATEWAY_EMULATOR_KEY: key, GATEWAY_EMULATOR_CASE: name } = process.env
${before}
const reply = await fetch(url + '/api/v3/contents/generations/tasks', { headers: { Authorization: 'Bearer ' + key } })
const { items } = await reply.json()
console.log(items.length, 'tasks')
`,
  )
  return ['node', path]
}
