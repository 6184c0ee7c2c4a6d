import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DockerfileParser } from 'dockerfile-ast'
import { validate } from 'dockerfile-utils'
import { describe, expect, it } from 'vitest'
import { optionRows } from '../src/emulator/options/table.ts'
import { ownFolder } from './support/folders.ts'
import { root } from './support/fresh-build.ts'
import { run } from './support/run.ts'

const text = readFileSync(join(root, 'Dockerfile'), 'utf8')
const dockerfile = DockerfileParser.parse(text)
const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n').filter(Boolean)
const instructions = dockerfile.getInstructions().map(instruction => ({
  name: instruction.getKeyword(),
  args: instruction.getArguments().map(argument => argument.getValue()),
}))
const argsOf = (name: string) => instructions.filter(found => found.name === name).map(({ args }) => args)

describe('the Dockerfile', () => {
  it('passes a linter', () => {
    expect(validate(text, { deprecatedMaintainer: 1 })).toEqual([])
  })

  it('copies only files that exist and are not ignored, and from existing stages', () => {
    const stages = dockerfile.getFROMs().map(from => from.getBuildStage())
    expect(stages).toEqual(['build', 'dependencies', null])
    for (const copy of dockerfile.getCOPYs()) {
      const from = copy.getFromFlag()?.getValue()
      const [...sources] = copy.getArguments().map(argument => argument.getValue())
      sources.pop()
      if (from) expect(stages).toContain(from)
      for (const source of from ? [] : sources.filter(name => name !== '.')) {
        expect(existsSync(join(root, source)), source).toBe(true)
        expect(ignored, source).toContain(`!${source.split('/')[0]}`)
      }
    }
  })

  it('installs the dependencies in a step of its own, in which `prepare` does and prints nothing', async () => {
    const folder = ownFolder('gateway-container')
    const copies = argsOf('COPY').filter(([first = '']) => /^(package|build\/prepare)/.test(first))
    expect(copies.slice(2)).toEqual(copies.slice(0, 2))
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    for (const file of copies.flat().filter(name => !name.endsWith('/')))
      cpSync(join(root, file), join(folder, file))
    const [program = '', ...args] = scripts.prepare.split(' ')
    const { code, stdout, stderr } = await run(program, args, { cwd: folder })
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('includes everything that the package needs at run time', () => {
    const { files }: { files: string[] } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const copied = argsOf('COPY')
      .flat()
      .map(name => name.replace('/build/', ''))
    // The plugin for pytest and the action are for the machine that runs the tests.
    for (const needed of files.filter(name => !/^!|\.md$|python$|^action/.test(name)))
      expect(copied).toContain(needed)
  })

  it('does not run as root, uses a small image and has a health check', () => {
    expect([...new Set(argsOf('FROM').map(([image]) => image))]).toEqual(['node:24-slim'])
    expect(argsOf('USER')).toEqual([['node']])
    expect(instructions.findIndex(({ name }) => name === 'USER')).toBeLessThan(
      instructions.findIndex(({ name }) => name === 'ENTRYPOINT'),
    )
    expect(argsOf('HEALTHCHECK')[0]?.join(' ')).toContain(
      '"gateway-emulator", "health", "--host", "127.0.0.1"',
    )
    expect(argsOf('EXPOSE')).toEqual([[String(optionRows.find(({ flag }) => flag === 'port')?.row[1])]])
  })

  it('sets only options that exist', () => {
    const known = optionRows.map(({ environment }) => environment)
    const set = [...text.matchAll(/GATEWAY_EMULATOR_([A-Z_]+)/g)].map(([, name = '']) => name)
    expect(set.length).toBeGreaterThan(0)
    expect(set.filter(name => !known.includes(name))).toEqual([])
  })
})

describe('the Dockerfile of the package', () => {
  const shipped = readFileSync(join(root, 'fixtures/docker/Dockerfile'), 'utf8')
  const copies = DockerfileParser.parse(shipped).getCOPYs()

  it('passes a linter', () => {
    expect(validate(shipped, { deprecatedMaintainer: 1 })).toEqual([])
  })

  it('copies only files of the package', () => {
    const { files }: { files: string[] } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    // npm packs these whatever the list says.
    const held = [...files, 'package.json', 'LICENSE']
    const copied = copies
      .filter(copy => !copy.getFromFlag())
      .flatMap(copy =>
        copy
          .getArguments()
          .map(argument => argument.getValue())
          .slice(0, -1),
      )
    expect(copied.length).toBeGreaterThan(3)
    expect(held).toEqual(expect.arrayContaining(copied))
  })

  it('starts in the same way as the image that is built in a clone', () => {
    const lastStage = (whole: string) =>
      whole
        .slice(whole.lastIndexOf('\nFROM '))
        .split('\n')
        .filter(line => !/^(COPY|#)/.test(line))
    expect(lastStage(shipped)).toEqual(lastStage(text))
  })
})
