import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { helpOf } from '../../src/cli/commands/command-line.ts'
import { commandNames } from '../../src/cli/commands/help.ts'
import { controlEndpoints } from '../../src/emulator/control/endpoints.ts'
import { optionRows } from '../../src/emulator/options/table.ts'
import { takeTags } from '../../src/emulator/scenarios/prompt-tags.ts'
import { root } from '../support/fresh-build.ts'
import { type GuideFile, guideFiles } from '../support/guide-files.ts'

const help = (await Promise.all(['serve', ...commandNames].map(helpOf))).join('')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
/** The page about the repository names files that are not in the package. */
const forUsers = guideFiles.filter(({ path }) => !path.endsWith('how-it-is-built.md'))

/** In the name of a test: `(docs/explore.md, "Time")`. */
const citation = /\(docs\/(?<page>[\w-]+\.md)(?:, "(?<chapter>[^"]+)")?/g

/** The matches of a pattern in all files, with the file for the message. */
function found(
  files: readonly GuideFile[],
  pattern: RegExp,
): { at: string; name: string; file: GuideFile }[] {
  return files.flatMap(file =>
    [...file.text.matchAll(pattern)].map(([, name = '']) => ({ at: `${file.path}: ${name}`, name, file })),
  )
}

/** Headings as GitHub and the guide make addresses of them. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

describe('things that the README and the guide name exist', () => {
  it('files and chapters that they link to', () => {
    const links = found(guideFiles, /\]\(([^)\s]+)\)/g)
    expect(links.length).toBeGreaterThan(20)
    for (const { at, name, file } of links.filter(link => !/^https?:/.test(link.name))) {
      const [path = '', anchor] = name.split('#')
      const target = path === '' ? file.path : posix.join(dirname(file.path), path)
      expect(existsSync(join(root, target)), at).toBe(true)
      if (anchor !== undefined)
        expect(anchorsOf(readFileSync(join(root, target), 'utf8')), at).toContain(anchor)
    }
  })

  it('pages and chapters that the names of tests cite', () => {
    const cited = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith('.test.ts'))
      .flatMap(file => [...readFileSync(join(root, 'test', file), 'utf8').matchAll(citation)])
    expect(cited.length).toBeGreaterThan(40)
    for (const { groups: { page = '', chapter } = {} } of cited) {
      const text = readFileSync(join(root, 'docs', page), 'utf8')
      const titles = [...text.matchAll(/^#+ (?:\d+\. )?(.+)$/gm)].map(([, title]) => title)
      if (chapter !== undefined) expect(titles, page).toContain(chapter)
    }
  })

  /** In backquotes from the root of the package, and anywhere from the folder of a project that has it. */
  const shipped =
    /(?:(?<=`)|(?<=node_modules\/generation-gateway-emulator\/))((?:src|test|docs|python|fixtures|scenarios|dist)\/[\w./-]*)/g

  it('files that they name', () => {
    const named = found(forUsers, shipped)
    expect(named.length).toBeGreaterThan(4)
    for (const { at, name } of named) expect(existsSync(join(root, name)), at).toBe(true)
  })

  it('files that they name, in the package too', () => {
    const linked = found(forUsers, /\]\(([^)#\s]+)[^)]*\)/g)
      .filter(({ name }) => !/^https?:/.test(name))
      .map(({ at, name, file }) => ({ at, name: posix.join(dirname(file.path), name) }))
    const packed: string[] = [...manifest.files, 'README.md', 'LICENSE']
    for (const { at, name } of [...linked, ...found(forUsers, shipped)])
      expect(
        packed.some(entry => `${name}/`.startsWith(`${entry}/`)),
        at,
      ).toBe(true)
  })

  it('options', () => {
    const prose = forUsers.map(file => ({ ...file, text: file.text.replaceAll(/```[\s\S]*?```/g, '') }))
    const flags = found(prose, /(?<![\w-])--([a-z][a-z-]*)/g)
    // Options of npm, npx, docker, curl and node.
    const others = [
      'help',
      'omit',
      'test',
      'no-install',
      'rm',
      'import',
      'save-dev',
      'dry-run',
      'data-binary',
      'experimental-vm-modules',
      'cacert',
      'read-only',
      'tmpfs',
    ]
    expect(flags.length).toBeGreaterThan(20)
    for (const { at, name } of flags.filter(flag => !others.includes(flag.name)))
      expect(optionRows.some(({ flag }) => flag === name) || help.includes(`--${name}`), at).toBe(true)
  })

  it('prompt tags', () => {
    const tags = found(guideFiles, /`(\[\[[^\]…]+\]\])[^`]*`/g)
    expect(tags.length).toBeGreaterThan(5)
    for (const { at, name } of tags) expect(takeTags(`${name} a cat`)?.text, at).toBe('a cat')
  })

  it('calls of the control API', () => {
    const calls = found(guideFiles, /`((?:GET|POST|PUT|PATCH|DELETE) \/__emulator\/[^`\s?]*)/g)
    const plain = (path: string) => path.replace(/\{(\w+)\}/g, ':$1').replace(/:\w+/g, ':')
    const known = controlEndpoints.flatMap(({ method, paths }) =>
      paths.map(path => `${method} /__emulator${plain(path)}`),
    )
    expect(calls.length).toBeGreaterThan(8)
    for (const { at, name } of calls)
      expect(known, at).toContain(plain(name).replace(/^(\w+ \/__emulator)\/worlds\/:\//, '$1/'))
  })
})
