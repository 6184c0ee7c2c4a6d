// A driver that uses the page: somebody orders two videos, and waits until both are there.
import { expect, test } from 'generation-gateway-emulator/playwright'

// Longer than the worker's own limit, so that the page shows what it says.
const longestWaitMs = 20 * 60_000
test.setTimeout(2 * longestWaitMs)

test('two videos are shown', async ({ page }) => {
  const videos = page.locator('video')
  const refusals = page.getByRole('status').filter({ hasText: 'No video' })
  await page.goto(process.env.WEB_URL)
  for (const prompt of ['the balloons drift', 'the clouds drift']) {
    await page.getByLabel('What should it show?').fill(prompt)
    await page.getByRole('button', { name: 'Make it' }).click()
  }
  const ended = async () => (await videos.count()) + (await refusals.count())
  await expect.poll(ended, { timeout: longestWaitMs, intervals: [5000] }).toBe(2)
  expect(await refusals.allTextContents()).toEqual([])
})
