import type { TestProject } from 'vitest/node'
import { type BrowserPlace, findBrowser } from './find-browser.ts'
import { freshConsole } from './fresh-build.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    browser: BrowserPlace
  }
}

/** Once before all browser tests: the console is built from its present sources, and a browser is there. */
export async function setup(project: TestProject): Promise<void> {
  await freshConsole()
  project.provide('browser', await findBrowser())
}
