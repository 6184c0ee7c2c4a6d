import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'

// biome-ignore lint/style/noDefaultExport: Playwright reads its configuration from it
export default defineConfig({
  testDir: fileURLToPath(new URL('../../docs/examples', import.meta.url)),
  testMatch: '*.spec.ts',
  outputDir: process.env.PLAYWRIGHT_OUTPUT ?? 'node_modules/.cache/playwright',
  reporter: 'line',
  // As for a package in node_modules, Playwright need not translate the program.
  build: { external: [fileURLToPath(new URL('../../dist/**', import.meta.url))] },
  // Other tests may use the machine at the same time.
  timeout: 60_000,
  expect: { timeout: 30_000 },
  use: {
    baseURL: process.env.PLAYWRIGHT_BASE_URL ?? 'http://127.0.0.1:3000',
    connectOptions: { wsEndpoint: process.env.PLAYWRIGHT_BROWSER ?? '' },
  },
})
