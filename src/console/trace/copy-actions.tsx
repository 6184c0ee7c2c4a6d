import { installedCommand, keyOf } from '../../emulator/words.ts'
import type { Trace } from '../../kits/views.ts'
import { runOfCall, runOfTask, wholeRun } from '../copies/part.ts'
import { Button } from '../parts/button.tsx'
import { CurlButton, copy } from '../parts/copy-button.tsx'
import { notify } from '../store/notices.ts'
import { CopyRun } from './copy-run.tsx'
import type { Moment } from './moments.ts'

/** The usual address of an emulator: a trace in a file does not hold the address. */
const usualAddress = 'http://127.0.0.1:8585'

interface Props {
  trace: Trace
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
      {nth > 0 && <BreakHere operation={operation} nth={nth} breakIt={breakIt} />}
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

function BreakHere({ operation, nth, breakIt }: { operation: string; nth: number } & Pick<Props, 'breakIt'>) {
  const call = `${operation}#${nth}`
  const act = async () => {
    if (breakIt) breakIt(operation, nth)
    else if (await copy(`${installedCommand} explore --only '${call}' -- YOUR COMMAND`))
      notify('done', `Copied the command that breaks ${call} in every way it can break`)
  }
  return (
    <Button look="small" icon="bolt" title={`Break ${call} in the next run`} act={act}>
      Break it here
    </Button>
  )
}
