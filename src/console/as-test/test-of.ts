import { javascriptTest } from './javascript.ts'
import { planOf, type Told } from './plan.ts'
import { pythonTest } from './python.ts'

export type TestForm = 'vitest' | 'playwright' | 'pytest'

/** The story of a task as a test that runs: in a new world it makes the task, plays the same calls and expects the same replies. */
export function testOf(form: TestForm, told: Told, origin: string): string {
  const plan = planOf(told)
  return form === 'pytest' ? pythonTest(plan, origin) : javascriptTest(plan, form, origin)
}
