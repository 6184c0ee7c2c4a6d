import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { openBrowser } from '../support/console.ts'
import { openGateway } from '../support/gateway.ts'

const gateway = await openGateway()
const view = await openBrowser(gateway)

/** The most script that a page may need before it shows something, compressed as a proxy would do it. */
const mostBytes = 150_000

it.each(['tasks', 'playground', 'requests'])(
  'needs less than 150 kB of compressed script to show %s',
  async name => {
    const page = await view.context.newPage()
    const sizes = new Map<string, number>()
    page.on('response', async reply => {
      if (!/\.js$/.test(new URL(reply.url()).pathname)) return
      sizes.set(reply.url(), 0)
      sizes.set(reply.url(), gzipSync(await reply.body()).length)
    })
    await page.goto(`${gateway.url}/__emulator/#/${name}`, { waitUntil: 'networkidle' })
    await page.locator('main h1, main h2').first().waitFor({ state: 'attached' })
    await expect.poll(() => [...sizes.values()].every(size => size > 0)).toBe(true)
    const sum = [...sizes.values()].reduce((all, size) => all + size, 0)
    console.info(`${name}: ${sum} bytes of script in ${sizes.size} files, gzip`)
    expect(sum).toBeGreaterThan(10_000)
    expect(sum).toBeLessThan(mostBytes)
    // What loads files, what pages share, and the page's own: each file costs a request.
    expect(sizes.size).toBeLessThanOrEqual(3)
    await page.close()
  },
)
