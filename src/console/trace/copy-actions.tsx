import { installedCommand, keyOf } from '../../emulator/words.ts'
import type { ExploredTrace, Trace } from '../../kits/views.ts'
import {
  afterOf,
  awaitedBy,
  type Part,
  runOfCall,
  runOfTask,
  type TestForm,
  testForms,
  wholeRun,
} from '../copies/part.ts'
import type { Copy } from '../copies/scenario.ts'
import { Button } from '../parts/button.tsx'
import { CurlButton, copy } from '../parts/copy-button.tsx'
import { Icon } from '../parts/icons.tsx'
import { control } from '../store/api.ts'
import { notify, report } from '../store/notices.ts'
import type { Moment } from './moments.ts'

/** For a trace that does not know what made its calls. */
const anyProgram = { before: `${installedCommand} explore --only `, after: ' -- YOUR COMMAND' }

/** The usual address of an emulator: a trace in a file does not hold the address. */
const usualAddress = 'http://127.0.0.1:8585'

interface Props {
  trace: ExploredTrace
  moment: Moment
  /** Opens the catalogue of failures for a call; in a file there is no emulator, and the command is copied. */
  breakIt?: ((operation: string, nth: number) => void) | undefined
}

/** What can be done with a moment: break it in the next run, and copy it as curl, test or scenario. */
export function CopyActions({ trace, moment, breakIt }: Props) {
  const { call, operation = '', task } = moment
  const part = () =>
    call ? runOfCall(trace, call.id) : task === undefined ? wholeRun(trace) : runOfTask(trace, task)
  const nth = call ? nthOf(trace, operation, call.id) : 0
  const origin = location.protocol === 'file:' ? usualAddress : location.origin
  return (
    <>
      {nth > 0 && (
        <BreakHere operation={operation} nth={nth} breakIt={breakIt} replay={trace.explored ?? anyProgram} />
      )}
      {/* The links of a trace have no signatures. */}
      {call && operation !== 'media.download' && (
        <CurlButton
          call={{
            method: call.method,
            url: `${origin}${call.path}`,
            key: keyOf(trace.world, call.account ?? 'default', call.key_label),
            ...(call.request.body !== null && { body: call.request.body }),
          }}
        />
      )}
      <CopyRun part={part} />
    </>
  )
}

/** Which call of its operation it is, counted as rules do; 0 when rules do not count it. */
function nthOf({ attempts }: Trace, operation: string, id: number): number {
  const same = attempts
    .filter(attempt => attempt.operation === operation)
    .flatMap(({ calls }) => calls)
    .filter(({ counted }) => counted !== false)
    .sort((a, b) => a.wall_ms - b.wall_ms)
  return same.findIndex(call => call.id === id) + 1
}

interface BreakProps extends Pick<Props, 'breakIt'> {
  operation: string
  nth: number
  replay: typeof anyProgram
}

function BreakHere({ operation, nth, breakIt, replay }: BreakProps) {
  const call = `${operation}#${nth}`
  const act = async () => {
    if (breakIt) breakIt(operation, nth)
    else if (await copy(`${replay.before}'${call}'${replay.after}`))
      notify('done', `Copied the command that breaks ${call} in every way it can break`)
  }
  return (
    <Button look="small" icon="bolt" title={`Break ${call} in the next run`} act={act}>
      Break it here
    </Button>
  )
}

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
