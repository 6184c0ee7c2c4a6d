/**
 * Takes pictures of the console. Run with: node --import tsx build/pictures/console-pictures.ts [FOLDER [PAGE...]]
 *
 * Without a folder it writes the two that the documentation shows, into docs/screenshots. With one it writes every page (or those
 * that are named) in both colours, at the width of a desk and of a phone, for people to look at.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'
import sharp from 'sharp'
import { pageTitles } from '../../src/console/shell/page-names.ts'
import { startEmulator } from '../../src/index.ts'
import { launchOptions } from '../../test/support/browser-launch.ts'
import { freshConsole, root } from '../../test/support/fresh-build.ts'
import { fillWorld } from './console-world.ts'

const sizes = { desk: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } }
const colours = ['light', 'dark'] as const
const pages = [
  ...Object.keys(pageTitles),
  'requests/5',
  'requests/1..5',
  'scenarios/chaos',
  'scenarios/new',
  'playground/c.create',
  ...['worlds', 'accounts', 'ledger', 'assets', 'snapshots', 'findings'].map(panel => `world/${panel}`),
]

/** Dialogs, by the key that opens them over the tasks. */
const dialogs: Record<string, string> = { palette: 'Control+k', keys: '?', break: 'b' }

const [folder, ...chosen] = process.argv.slice(2)
await freshConsole()
const emulator = await startEmulator({ clock: 'manual', now: '2026-03-01T08:00:00Z', seed: 7, log: 'silent' })
const browser = await chromium.launch(await launchOptions())
try {
  const task = await fillWorld(emulator.url)
  if (folder === undefined) await takeShown(task)
  else
    await takeAll(folder, chosen.length > 0 ? chosen : [...pages, `tasks/${task}`, ...Object.keys(dialogs)])
} finally {
  await browser.close()
  await emulator.close()
}

/** The pictures of the documentation, with few colours, since the package has a limit of size. */
async function takeShown(task: string): Promise<void> {
  const context = await browser.newContext({ viewport: sizes.desk, reducedMotion: 'reduce', bypassCSP: true })
  for (const [name, page] of Object.entries({ 'console-tasks': 'tasks', 'console-task': `tasks/${task}` })) {
    const file = join(root, 'docs', 'screenshots', `${name}.webp`)
    const fewColours = await sharp(await picture(context, page))
      .png({ palette: true, colours: 128 })
      .toBuffer()
    await sharp(fewColours).webp({ lossless: true, effort: 6 }).toFile(file)
  }
}

async function takeAll(into: string, names: readonly string[]): Promise<void> {
  await mkdir(into, { recursive: true })
  for (const [size, viewport] of Object.entries(sizes))
    for (const colorScheme of colours) {
      const context = await browser.newContext({
        viewport,
        colorScheme,
        reducedMotion: 'reduce',
        bypassCSP: true,
      })
      for (const name of names) {
        const file = `${name.replaceAll(/[^a-z0-9.]+/gi, '-')}.${size}.${colorScheme}.png`
        await sharp(await picture(context, name)).toFile(join(into, file))
      }
      await context.close()
    }
}

/** The part of a video element that is used here. */
interface Player {
  muted: boolean
  currentTime: number
  onseeked: unknown
  play(): Promise<void>
  pause(): void
}

/** A page that has read its content and drawn its pictures. */
async function picture(context: BrowserContext, name: string): Promise<Buffer> {
  const page = await context.newPage()
  // Pages keep a stream open, so the network is never idle; pictures are asked for after a short rest.
  const key = dialogs[name]
  await page.goto(`${emulator.url}/__emulator/#/${key === undefined ? name : 'tasks'}`)
  await page.locator('main h1, main h2').first().waitFor({ state: 'attached' })
  await page.waitForTimeout(400)
  if (key !== undefined) await page.keyboard.press(key)
  // A player that never played shows that it is loading.
  for (const video of await page.locator('video').all())
    await video.evaluate(async element => {
      const player = element as unknown as Player
      player.muted = true
      await player.play()
      player.pause()
      const there = new Promise(done => {
        player.onseeked = done
      })
      player.currentTime = 2
      await there
    })
  await page.waitForFunction('Array.from(document.images).every(image => image.complete)')
  await page.waitForTimeout(200)
  const bytes = await page.screenshot()
  await page.close()
  return bytes
}
