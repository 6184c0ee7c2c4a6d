import { rulesOf } from './effects.ts'
import { javascriptTest } from './javascript.ts'
import { namesOf } from './literal.ts'
import { notesOf } from './notes.ts'
import type { Part, TestForm } from './part.ts'
import { pythonTest } from './python.ts'
import type { Copy } from './scenario.ts'
import { startOf, stepsOf, type TestPlan } from './steps.ts'

/** Further steps are left out, so that the test stays readable. */
const mostSteps = 300

/** A run as a test: in a new world it meets the same refusals and faults, sends the same calls and expects the same replies. */
export function testCopy(form: TestForm, part: Part, origin: string): Copy {
  const plan = planOf(part)
  const text = form === 'pytest' ? pythonTest(plan, origin) : javascriptTest(plan, form, origin)
  return { text, notes: [...plan.notes] }
}

function planOf(part: Part): TestPlan {
  const { trace, tasks, calls } = part
  const steps = stepsOf(part)
  const [first] = tasks
  const notes = notesOf(part, 'control')
  const prompt = first
    ? first.prompt || first.kind
    : `${calls[0]?.operation ?? 'a call'} ${calls[0]?.status ?? ''}`
  return {
    title: `${prompt.replace(/\s+/g, ' ').slice(0, 60)}${first ? `: ${first.status}` : ''}`,
    world: trace.world,
    rules: rulesOf(part, 'control'),
    steps: steps.slice(0, mostSteps),
    endMs: Date.parse(trace.now) - startOf(part),
    ends: steps.length > mostSteps ? [] : tasks.map(({ id, status }) => ({ task: id, status })),
    names: namesOf(tasks),
    notes: steps.length > mostSteps ? [...notes, `${steps.length - mostSteps} further steps`] : notes,
  }
}
