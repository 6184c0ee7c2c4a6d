import type { Trace } from '../../kits/views.ts'
import { afterOf, awaitedBy, type Part, runOfTask, type TestForm, testForms } from '../copies/part.ts'
import type { Copy } from '../copies/scenario.ts'
import { Button } from '../parts/button.tsx'
import { copy } from '../parts/copy-button.tsx'
import { Icon } from '../parts/icons.tsx'
import { control } from '../store/api.ts'
import { notify, report } from '../store/notices.ts'

/** The run of the world's clients, or of one task. Rejects with EmulatorError. */
export function readTrace(task?: string): Promise<Trace> {
  return control('GET', `/trace${task === undefined ? '' : `?task=${encodeURIComponent(task)}`}`)
}

/** The run of a task, with the calls that its replies wait for, which may be about other tasks. Rejects with EmulatorError. */
export async function readRunOfTask(task: string): Promise<Part> {
  const own = runOfTask(await readTrace(task), task)
  const isWhole = own.calls.every(call => !afterOf(call) || awaitedBy(own.trace, call))
  return isWhole ? own : runOfTask(await readTrace(), task)
}

/** Copies of a run as a test for three kits, and as a scenario. The notice names what they cannot carry over. */
export function CopyRun({ part }: { part: () => Part | Promise<Part> }) {
  const act = (what: string, made: (part: Part) => Promise<Copy | undefined>) =>
    report(async () => {
      const copied = await made(await part())
      if (!copied) return notify('done', 'No rule acted on this, so there is no scenario to copy')
      const { text, notes } = copied
      if (!(await copy(text))) return
      const rest = notes.length > 0 ? ` Not carried over: ${notes.join('; ')}.` : ''
      notify('done', `Copied as ${what}.${rest}`, notes.length > 0 ? { lifeMs: 12_000 } : {})
    })
  const asTest = (form: TestForm) =>
    act(`a test for ${testForms[form]}: paste it into a file and run it`, async run => {
      const { testCopy } = await import('../copies/test-of.ts')
      return testCopy(form, run, location.origin)
    })
  const asScenario = () =>
    act('a scenario: paste it into a file, or into a new scenario on the Scenarios page', async run => {
      const { scenarioCopy } = await import('../copies/scenario.ts')
      return scenarioCopy(run)
    })
  return (
    <>
      <div class="group as-test" role="group" aria-label="Copy as test">
        <span class="as-test-label small">
          <Icon name="copy" />
          Copy as test
        </span>
        {(Object.keys(testForms) as TestForm[]).map(form => (
          <Button
            look="small"
            key={form}
            title={`Copy the run as a test for ${testForms[form]}`}
            act={() => asTest(form)}
          >
            {testForms[form]}
          </Button>
        ))}
      </div>
      <Button look="small" icon="copy" act={asScenario}>
        Copy as scenario
      </Button>
    </>
  )
}
