import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

interface Axe {
  run(part: string, options: RunOptions): Promise<AxeResults>
}

/** What is checked. */
export interface Look {
  /** The part of the page, as a selector. */
  part: string
  /** The names of the rules; all by default. */
  rules?: readonly string[]
}

/** An element that breaks a rule. */
export type Violation = Awaited<ReturnType<typeof violationsOf>>[number]

/** In other colours, only the rules about colours can find other faults. */
export const colourRules = ['color-contrast', 'link-in-text-block']

const script = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Loads axe into a page, through the debugger: the page's policy allows only scripts of the emulator. */
export async function loadAxe(page: Page): Promise<void> {
  await page.evaluate(script)
}

/** The elements that break rules of accessibility. Nothing is collected about the others, which takes most of the time. */
export function violationsOf(page: Page, look: Look) {
  return page.evaluate(async ({ part, rules }) => {
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run(part, {
      resultTypes: ['violations'],
      ...(rules && { runOnly: [...rules] }),
    })
    return violations.flatMap(({ id, impact, nodes }) =>
      nodes.map(({ html, failureSummary }) => ({
        rule: id,
        impact: impact ?? undefined,
        html: html.slice(0, 160),
        summary: failureSummary ?? '',
      })),
    )
  }, look)
}
