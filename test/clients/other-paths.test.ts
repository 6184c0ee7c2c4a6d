import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '../../src/kits/testing/vitest.ts'
import { root } from '../support/fresh-build.ts'

const page = readFileSync(join(root, 'docs/add-to-your-project.md'), 'utf8')
const [paragraph = ''] = page.match(/^Some clients call other paths[\s\S]*?\n\n/m) ?? []
const paths = [...paragraph.matchAll(/`(\/[\w/-]+)`/g)].map(([, path]) => path)

it('answers 404 to each path of clients that cannot be used (docs/add-to-your-project.md, "Point your client at the emulator")', async ({
  world,
}) => {
  const statuses = paths.map(async path => {
    const reply = await fetch(`${world.baseUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.apiKey}`, 'content-type': 'application/json' },
      body: '{"model_name":"kling-v2-6","model":"MiniMax-H3","prompt":"a lighthouse"}',
    })
    return [path, reply.status]
  })
  expect(paths).toHaveLength(5)
  expect(await Promise.all(statuses)).toEqual(paths.map(path => [path, 404]))
})
