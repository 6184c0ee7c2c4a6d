import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { launchOptions } from './browser-launch.ts'
import { freshConsole } from './fresh-build.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the browser listens for the files that drive it. */
    browser: string
  }
}

/** Runs once before all browser tests: builds the console from its sources, and starts the browser that all files share. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await freshConsole()
  const browser = await chromium.launchServer({ ...(await launchOptions()), host: '127.0.0.1' })
  project.provide('browser', browser.wsEndpoint())
  return () => browser.close()
}
