import type { SystemRun } from '../run/run.ts'
import type { Facts } from './facts.ts'
import type { Results } from './results.ts'
import { isGeneric } from './uncaught/error.ts'
import { uncaughtErrorOf } from './uncaught/index.ts'
import type { End, Ending } from './verdicts.ts'
import { isSilentRun, shortened, tellingLine, withoutValues } from './written.ts'

/** The ends of a driver after which the check has the last word: after others it is known what is wrong, or the system was not done. */
const judgedByCheck: readonly End[] = ['done', 'told', 'uncaught']

type EndingOf = (facts: Facts, results: { now: Results; before: Results }) => Ending

/**
 * How a run of a system ended: as its driver did, but for a service that ended although nobody ended it, and for a check that failed after a
 * driver that ended by itself: what it checks must hold whatever failed. `endingOf` tells it of one program.
 */
export function systemEndingOf(
  facts: Facts,
  results: { now: Results; before: Results },
  endingOf: EndingOf,
): Ending {
  const { run, undisturbedSystem } = facts
  const system = run.system as SystemRun
  const driver = () => asOfDriver(endingOf(facts, results))
  const [ended] = endedOtherwise(system, undisturbedSystem)
  if (ended) {
    const own = ofPart(facts, ended)
    const isDone = ended.exit.kind === 'ended' && ended.exit.code === 0
    const ending: Ending = isDone
      ? { end: 'uncaught', sentence: 'ended with 0 although nobody had ended it', title: 'ends by itself' }
      : endingOf(own, results)
    const after = system.notReady ? `${system.notReady.name} ${system.notReady.why}` : driver().sentence
    return {
      ...ending,
      end: ending.end === 'crashed' ? 'crashed' : 'uncaught',
      sentence: `${ended.name}: ${ending.sentence}; ${after}`,
      title: `${ended.name}: ${ending.title}`,
    }
  }
  if (system.notReady) {
    const { name, why } = system.notReady
    return { end: 'unfinished', sentence: `${name} ${why}`, title: `${name} does not become ready` }
  }
  const ending = driver()
  const { check } = system
  if (!judgedByCheck.includes(ending.end) || !check || (check.exit.kind === 'ended' && check.exit.code === 0))
    return ending
  const own = ofPart(facts, check)
  const { sentence, title, where } = saysItself(own) ?? endingOf(own, results)
  const isDone = ending.end === 'done'
  return {
    end: isDone ? 'false_success' : ending.end,
    sentence: isDone
      ? `the driver ended with 0, but the check ${sentence}`
      : `${ending.sentence}, and the check ${sentence}`,
    title: `check: ${title}`,
    ...(where !== undefined && { where }),
    isCheckFailed: true,
  }
}

/** What a check that failed says of the whole, whatever call came before; undefined when it says nothing. */
function saysItself({
  run,
  undisturbedOutput,
}: Facts): Pick<Ending, 'sentence' | 'title' | 'where'> | undefined {
  if (run.exit.kind !== 'ended') return undefined
  const error = uncaughtErrorOf(run)
  if (error) {
    const { name, line } = error
    if (name === line) return undefined
    const isOwnWords = isGeneric(name) || /^Assert/.test(name)
    const words = isOwnWords ? line.replace(/^[\w.$]+(?: \[\w+\])?: /, '') : line
    return { sentence: `ended with ${run.exit.code}: ${shortened(line)}`, title: withoutValues(words) }
  }
  const line = isSilentRun(run, undisturbedOutput) ? undefined : tellingLine(run, undisturbedOutput)
  if (line === undefined) return undefined
  return { sentence: `ended with ${run.exit.code}: ${shortened(line)}`, title: withoutValues(line) }
}

/** The services that ended by themselves, and do not end so undisturbed. */
function endedOtherwise(system: SystemRun, undisturbed: SystemRun | undefined): SystemRun['ended'] {
  const isUsual = ({ name, exit }: SystemRun['ended'][number]) =>
    exit.kind === 'ended' && exit.code === 0 && undisturbed?.ended.some(one => one.name === name)
  return system.ended.filter(one => !one.isBeside && !isUsual(one))
}

/** The facts as if a part of the system were the program. */
function ofPart(facts: Facts, part: SystemRun['ended'][number]): Facts {
  const { undisturbedSystem: undisturbed } = facts
  const known = [...(undisturbed?.parts ?? []), ...(undisturbed?.check ? [undisturbed.check] : [])]
  const { system, ...run } = facts.run
  return {
    ...facts,
    run: { ...run, exit: part.exit, output: part.output, errors: part.errors },
    undisturbedOutput: known.find(({ name }) => name === part.name)?.output ?? '',
  }
}

/** Sentences about a program, with the driver in its place. */
function asOfDriver(ending: Ending): Ending {
  const { sentence } = ending
  const told = /^ended /.test(sentence) ? `the driver ${sentence}` : sentence
  return { ...ending, sentence: told.replace(/^an uncaught error/, 'in the driver an uncaught error') }
}
