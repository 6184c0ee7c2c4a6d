import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { guidePages } from '../../src/emulator/guide/contents.ts'
import { root } from '../support/fresh-build.ts'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway()
const guide = `${gateway.url}/__emulator/guide`
const pages = guidePages()
const get = async (address: string, headers: Record<string, string> = {}) => {
  const reply = await fetch(address, { headers })
  return {
    status: reply.status,
    type: reply.headers.get('content-type') ?? '',
    headers: reply.headers,
    text: await reply.text(),
  }
}
const browser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

/** The addresses in a page, as a browser or an agent resolves them. */
function addressesIn(text: string, at: string): URL[] {
  const isHtml = text.startsWith('<!doctype')
  const found = isHtml ? text.matchAll(/(?:href|src)="([^"]+)"/g) : text.matchAll(/\]\(([^()\s]+)\)/g)
  return [...found].map(([, target = '']) => new URL(target, at))
}

describe('the guide', () => {
  it('lists every Markdown file of docs, each once', () => {
    const files = readdirSync(join(root, 'docs'))
      .filter(name => name.endsWith('.md'))
      .map(name => `docs/${name}`)
    expect(files.length).toBeGreaterThan(4)
    expect(files.filter(file => !pages.some(({ path }) => path === file))).toEqual([])
    expect(new Set(pages.map(({ name }) => name)).size).toBe(pages.length)
  })

  it.each(['', ...pages.map(({ name }) => `/${name}`)])(
    '%s is a page with the security policy of the console',
    async path => {
      const { status, type, headers, text } = await get(guide + path, browser)
      expect([status, type]).toEqual([200, 'text/html; charset=utf-8'])
      const { headers: ofConsole } = await get(`${gateway.url}/__emulator/`, browser)
      const policy = headers.get('content-security-policy')
      expect(policy).toContain("default-src 'self'")
      if (ofConsole.get('content-security-policy'))
        expect(policy).toBe(ofConsole.get('content-security-policy'))
      // The policy forbids scripts in the page itself.
      expect(text).not.toMatch(/<script>|\son\w+=/)
      expect(text.match(/<h1/g)).toHaveLength(1)
      expect(text.match(/aria-current="page"/g) ?? []).toHaveLength(path === '' ? 0 : 1)
    },
  )

  it.each([
    ['HTML', '', browser],
    ['Markdown', '.md', {}],
  ])('every link of a page in %s has a target', async (_, suffix, headers) => {
    const seen = new Map<string, string>()
    const open = [guide + suffix]
    while (open.length > 0) {
      const address = open.pop() as string
      const { status, type, text } = await get(address, headers)
      expect(status, address).toBe(200)
      seen.set(address, text)
      if (!/^text\/(html|markdown)/.test(type)) continue
      for (const link of addressesIn(text, address)) {
        const target = link.origin + link.pathname
        if (
          link.origin === gateway.url &&
          link.pathname.startsWith('/__emulator/guide') &&
          !seen.has(target) &&
          !open.includes(target)
        )
          open.push(target)
      }
    }
    for (const { name } of pages) expect([...seen.keys()]).toContain(`${guide}/${name}${suffix}`)
    for (const [address, text] of seen)
      for (const link of text.startsWith('<!doctype') ? addressesIn(text, address) : []) {
        const target = seen.get(link.origin + link.pathname)
        if (link.hash && target)
          expect(target, `${address}: ${link.hash}`).toContain(
            `id="${decodeURIComponent(link.hash.slice(1))}"`,
          )
      }
  })

  it('a page is Markdown at an address that ends in .md, and for a client that accepts Markdown', async () => {
    const byAddress = await get(`${guide}/explore.md`)
    const byAccept = await get(`${guide}/explore`, { Accept: 'text/markdown' })
    for (const { status, type, text } of [byAddress, byAccept]) {
      expect([status, type]).toEqual([200, 'text/markdown; charset=utf-8'])
      expect(text).toMatch(/^# Explore/)
    }
    expect(byAccept.headers.get('vary')).toMatch(/\bAccept\b/i)
  })

  it.each([
    'nothing',
    '..%2f..%2fpackage.json',
    'files/package.json',
    'files/fixtures/..%2f..%2fpackage.json',
    'files/src/main.ts',
    'look/..%2fprices.json',
  ])('%s is not found', async path => {
    const { status, text } = await get(`${guide}/${path}`, browser)
    expect(status).toBe(404)
    expect(text).not.toContain('devDependencies')
  })

  it('the address with a slash at the end gives the list of pages', async () => {
    const reply = await fetch(`${guide}/`)
    expect([reply.status, reply.url]).toEqual([200, guide])
  })

  it('sends examples as text, not as programs of this server', async () => {
    const { type, headers } = await get(`${guide}/files/docs/examples/front-end.html`, browser)
    expect([type, headers.get('x-content-type-options')]).toEqual(['text/plain; charset=utf-8', 'nosniff'])
  })

  it('has the icon of the console', () => {
    const [ofConsole, ofGuide] = ['src/console/icon.svg', 'fixtures/guide/icon.svg'].map(path =>
      readFileSync(join(root, path), 'utf8'),
    )
    expect(ofGuide).toBe(ofConsole)
  })
})

describe('llms.txt', () => {
  it('has a title, a summary, and sections of links with a description of each, by the convention of llmstxt.org', () => {
    const text = readFileSync(join(root, 'llms.txt'), 'utf8')
    const [head = '', ...sections] = text.split(/^## /m)
    expect(head).toMatch(/^# [^\n]+\n\n> [^\n]+\n/)
    expect(head).not.toMatch(/^#{2,} /m)
    expect(sections.length).toBeGreaterThan(1)
    for (const section of sections) {
      const [title, blank, ...items] = section.trimEnd().split('\n')
      expect([title !== '', blank]).toEqual([true, ''])
      expect(items.length).toBeGreaterThan(0)
      for (const item of items) expect(item).toMatch(/^- \[[^\]]+\]\([^)]+\): \S/)
    }
  })

  it('is served with links to Markdown, and `/` gives its address', async () => {
    const { body } = await gateway.call('GET', '/', undefined, { headers: { Accept: 'application/json' } })
    const { llms } = body
    expect(llms).toBe(`${gateway.url}/__emulator/llms.txt`)
    const { status, type, text } = await get(llms)
    expect([status, type]).toEqual([200, 'text/markdown; charset=utf-8'])
    const links = [...text.matchAll(/\]\((http[^)]+)\)/g)].map(([, link = '']) => link)
    expect(links).toHaveLength(pages.length)
    for (const link of links) expect((await get(link)).type).toBe('text/markdown; charset=utf-8')
  })

  it('is in the package', () => {
    const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(files).toContain('llms.txt')
  })
})
