import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findFfmpeg, ToolMissingError } from '../../src/media/render/tools.ts'
import { ownFolder } from '../support/folders.ts'

const folder = ownFolder('tools-test')

it('finds the bundled ffmpeg, or else that of the system, and lists the codecs that it can write', async () => {
  const tool = await findFfmpeg()
  expect(['bundled', 'system']).toContain(tool.source)
  expect(tool.version).not.toBe('')
  expect(tool.can).toMatchObject({ libx264: true, aac: true })
})

it('uses the configured program and no other', async () => {
  const path = await program('own', "echo 'ffmpeg version 9.9-own'")
  expect(await findFfmpeg(path)).toMatchObject({
    path,
    source: 'configured',
    version: '9.9-own',
    can: { libx264: false },
  })
})

it.each([
  ['does not exist', '/nowhere/ffmpeg'],
  ['is not ffmpeg', '/bin/echo'],
])('fails with a message when the configured program %s, and does not use another one', async (_, path) => {
  await expect(findFfmpeg(path)).rejects.toThrow(ToolMissingError)
  await expect(findFfmpeg(path)).rejects.toThrow(`FFMPEG_PATH is ${path}, which does not run`)
})

it('searches again after a failure', async () => {
  const path = join(folder, 'later')
  await expect(findFfmpeg(path)).rejects.toThrow('FFMPEG_PATH')
  await program('later', "echo 'ffmpeg version 1'")
  expect(await findFfmpeg(path)).toMatchObject({ version: '1' })
})

it('asks a program once in a process, and again when it was replaced', async () => {
  const asked = join(folder, 'asked')
  const times = async () => (await readFile(asked, 'utf8')).length
  const script = (version: string) => `printf x >> '${asked}'; echo 'ffmpeg version ${version}'`
  const path = await program('replaced', script('1'))
  const together = await Promise.all([findFfmpeg(path), findFfmpeg(path)])
  expect([...together, await findFfmpeg(path)].map(({ version }) => version)).toEqual(['1', '1', '1'])
  expect(await times()).toBe(1)
  await program('replaced', script('2'))
  expect(await findFfmpeg(path)).toMatchObject({ version: '2' })
  expect(await times()).toBe(2)
})

it('learns the version of a program whose banner is hidden', async () => {
  const path = await program('quiet', '[ "$1" != -version ] || echo "ffmpeg version 3 of ours"')
  expect(await findFfmpeg(path)).toMatchObject({ version: '3' })
})

async function program(name: string, line: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, `#!/bin/sh\n${line}\n`)
  await chmod(path, 0o755)
  return path
}
