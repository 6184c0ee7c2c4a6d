import type { TestProject } from 'vitest/node'
import { type BrowserPlace, findBrowser } from './find-browser.ts'
import { freshConsole } from './fresh-build.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    browser: BrowserPlace
  }
}

/** Runs once before all browser tests: builds the console from its sources and finds a browser. */
export async function setup(project: TestProject): Promise<void> {
  await freshConsole()
  project.provide('browser', await findBrowser())
}
