import type { TestProject } from 'vitest/node'
import { startBrowser } from './browser-launch.ts'
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
  const browser = await startBrowser()
  project.provide('browser', browser.wsEndpoint())
  return () => browser.close()
}
