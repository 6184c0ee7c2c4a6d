import type { Trace } from '../../client/types.ts'
import { runOfCall, runOfTask, wholeRun } from '../copies/part.ts'
import { copyAs } from '../parts/copy-as.ts'
import { CopyButton, copy } from '../parts/copy-button.tsx'
import { Icon } from '../parts/icons.tsx'
import { notify } from '../store/notices.ts'
import { CopyRun } from './copy-run.tsx'
import type { Moment } from './moments.ts'

/** Where an emulator usually listens; a file does not know it. */
const usualAddress = 'http://127.0.0.1:8585'

interface Props {
  trace: Trace
  moment: Moment
  /** Opens the catalogue of failures for an operation; in a file there is no emulator, and the command is copied. */
  breakIt?: ((operation: string) => void) | undefined
}

/** What can be done with a moment: break it in the next run, and copy it as curl, test or scenario. */
export function CopyActions({ trace, moment, breakIt }: Props) {
  const { call, operation, task } = moment
  const part = () =>
    call ? runOfCall(trace, call.id) : task === undefined ? wholeRun(trace) : runOfTask(trace, task)
  return (
    <>
      {call && operation !== undefined && (
        <BreakHere call={nthOf(trace, operation, call.id)} operation={operation} breakIt={breakIt} />
      )}
      {call && (
        <CopyButton
          worded
          label="Copy as curl"
          text={() =>
            copyAs('curl', {
              method: call.method,
              url: `${location.protocol === 'file:' ? usualAddress : location.origin}${call.path}`,
              ...(operation !== 'media.download' && {
                key: keyFor(trace.world, call.account ?? 'default'),
              }),
              ...(call.request.body !== null && { body: call.request.body }),
            })
          }
        />
      )}
      <CopyRun part={part} />
    </>
  )
}

/** The key of a world and account. The page of a file knows no world of its own. */
function keyFor(world: string, account: string): string {
  const key = world === 'default' ? 'sk-emulator' : `sk-test-${world}`
  return account === 'default' ? key : `${key}.${account}`
}

/** Which call of its operation it is, counted as rules do. */
function nthOf({ attempts }: Trace, operation: string, id: number): string {
  const same = attempts
    .filter(attempt => attempt.operation === operation)
    .flatMap(({ calls }) => calls)
    .filter(({ counted }) => counted !== false)
    .sort((a, b) => a.wall_ms - b.wall_ms)
  const nth = same.findIndex(call => call.id === id) + 1
  return nth === 0 ? operation : `${operation}#${nth}`
}

function BreakHere({
  call,
  operation,
  breakIt,
}: { call: string; operation: string } & Pick<Props, 'breakIt'>) {
  const act = async () => {
    if (breakIt) breakIt(operation)
    else if (await copy(`gateway-emulator explore --only '${call}' -- YOUR COMMAND`))
      notify('done', `Copied the command that breaks ${call} in every way it can break`)
  }
  return (
    <button
      type="button"
      class="button small"
      title={`Break ${call} in the next run`}
      onClick={() => void act()}
    >
      <Icon name="bolt" />
      Break it here
    </button>
  )
}
