import { downloadOperation } from '../../emulator/words.ts'
import type { RequestView } from '../../kits/views.ts'
import { isSameCall } from '../plan/case.ts'
import { callsOf } from '../plan/plan.ts'
import type { SystemRun } from '../run/run.ts'
import { isGeneric } from './causes.ts'
import { counted } from './counted.ts'
import { arrivalsOf } from './fetched-parts.ts'
import { countOf, isAbout, needed, pathOf, type Results } from './results.ts'
import { isDecoder, ownFrame, type UncaughtError } from './uncaught/error.ts'
import { uncaughtErrorOf } from './uncaught/index.ts'
import type { End, Ending, Facts } from './verdicts.ts'
import { isSilent, waitingOf } from './waiting.ts'
import { isSilentRun, shortened, tellingLine, withoutValues } from './written.ts'

/** Exit codes with which a shell reports the signal that ended its command. */
const signals: Readonly<Record<number, string>> = {
  132: 'SIGILL',
  134: 'SIGABRT',
  135: 'SIGBUS',
  136: 'SIGFPE',
  137: 'SIGKILL',
  139: 'SIGSEGV',
}

/** How a run ended. It follows only from the facts of this run and of the undisturbed run. */
export function endingOf(facts: Facts, results: { now: Results; before: Results }): Ending {
  return facts.run.system ? systemEndingOf(facts, results) : programEndingOf(facts, results)
}

function programEndingOf(facts: Facts, { now, before }: { now: Results; before: Results }): Ending {
  const { exit } = facts.run
  switch (exit.kind) {
    case 'limit':
    case 'endless':
      return waited(facts)
    case 'signal':
      return { end: 'crashed', sentence: `ended by ${exit.signal}`, title: `ended by ${exit.signal}` }
    case 'ended':
      return exit.code === 0 ? succeeded(now, before) : failed(facts, `ended with ${exit.code}`)
    case 'threw':
      return failed(facts, 'threw an error')
  }
}

/** A program that did not end. When it printed an error before and asks for nothing any more, that is the cause. */
function waited(facts: Facts): Ending {
  const { run, undisturbedOutput, folder } = facts
  const { sentence, title, isEndless, isVain } = waitingOf(facts, failedCall(facts))
  const end = isEndless ? 'hung' : 'unfinished'
  if (isVain || isSilentRun(run, undisturbedOutput)) return { end, sentence, title }
  const error = uncaughtErrorOf({ ...run, exit: { kind: 'ended', code: 1 } })
  const line = error?.line ?? tellingLine(run, undisturbedOutput)
  const before = line === undefined ? '' : `; before, it wrote: ${shortened(line)}`
  if (!error) return { end, sentence: `${sentence}${before}`, title }
  const where = ownFrame(error.frames, folder)
  return {
    end,
    sentence: `${sentence}${before}`,
    title: `${isEndless ? 'never ends' : 'had not ended'} after ${error.name}`,
    ...(where !== undefined && { where }),
  }
}

function succeeded(now: Results, before: Results): Ending {
  const lacking = missing(now, before)
  if (lacking === undefined) return { end: 'done', sentence: doneLine(now, before), title: 'done' }
  return { end: 'false_success', sentence: `ended with 0, but ${lacking}`, title: titleOf(now) }
}

/** A refused download, or one that breaks off, looks like none to a program; an empty or wrong file looks like a result. */
function titleOf({ broken: [download] }: Results): string {
  if (download === undefined) return 'ends with 0 without the result'
  const looksWhole = arrivalsOf(download).some(({ share, end }) => end === 'whole' && share === 0)
  return looksWhole ? 'takes a broken file for the result' : 'ends with 0 after a download that failed'
}

/** Whether a call was refused, or its reply did not come as it should. */
function isBroken({ status, reply_lost, broken, effects }: RequestView): boolean {
  return status >= 400 || reply_lost === true || broken !== undefined || effects !== undefined
}

/**
 * ` at a.get`, where nobody knows the line of a failure: the call that failed, else the download for which there was no link, else the last
 * call.
 */
function placeOf(facts: Facts): string {
  const { observed, one } = facts
  const requests = knownCalls(observed)
  const isLinkless = one.failure.id === 'no_result_link' && !requests.some(isBroken)
  // Nothing fails in a second life.
  const last = one.failure.kind === 'restart' ? undefined : requests.at(-1)
  const operation = isLinkless ? downloadOperation : (failedCall(facts) ?? last)?.operation
  return operation === undefined ? '' : ` at ${operation}`
}

/**
 * The last call that was refused or broken: of those about the task that the failure came to, since an outage meets other jobs, too, else of
 * all. Else the last call about that task, since another job may go on.
 */
function failedCall({ observed, one }: Facts): RequestView | undefined {
  const requests = knownCalls(observed)
  const broken = requests.filter(isBroken)
  if (one.failure.kind === 'restart') return broken.at(-1)
  const named = callsOf(requests).find(call => isSameCall(call, one))?.request
  const task = named && observed.tasks.find(({ id }) => isAbout(named, id))
  const isOfTask = (request: RequestView) => task !== undefined && isAbout(request, task.id)
  return broken.findLast(isOfTask) ?? broken.at(-1) ?? requests.findLast(isOfTask)
}

/** Without paths that the gateway does not have, such as that of a health check: they are refused undisturbed, too. */
function knownCalls({ requests }: Facts['observed']): RequestView[] {
  return requests.filter(({ operation }) => operation !== 'unknown')
}

/** `at a.get: no answer`. `at` is empty or names a call. */
function toldAt(at: string, words: string): string {
  return at === '' ? words : `${at.trim()}: ${words}`
}

/** The texts of the reply that refused the call: a program that quotes them says nothing of its own. */
function quotedBy({ observed: { requests } }: Facts): string[] {
  const broken = requests.findLast(isBroken)
  return broken && broken.status >= 400 ? textsIn(broken.response.body).filter(text => text.length >= 8) : []
}

/** What the tasks are asked to show, in words: it tells one job from another, and causes are alike for all. The longest first. */
function promptsOf({ observed, baseline }: Facts): string[] {
  const texts = [...baseline.tasks, ...observed.tasks].flatMap(({ request }) => textsIn(request))
  return texts.filter(text => /\S\s+\S/.test(text)).sort((one, other) => other.length - one.length)
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

function failed(facts: Facts, said: string): Ending {
  const { run, undisturbedOutput } = facts
  const error = uncaughtErrorOf(run)
  if (error) return failedBy(error, facts, said)
  const signal = run.exit.kind === 'ended' ? signals[run.exit.code] : undefined
  if (signal !== undefined)
    return { end: 'crashed', sentence: `${said}: ${signal} ended a part of it`, title: `ended by ${signal}` }
  const isThrown = run.exit.kind === 'threw'
  const at = placeOf(facts)
  const silence = `fails in silence${at}`
  if (!isThrown && run.output.trim() === '')
    return { end: 'uncaught', sentence: `${said} and wrote nothing`, title: silence }
  if (!isThrown && isSilentRun(run, undisturbedOutput))
    return {
      end: 'uncaught',
      sentence: `${said} and wrote nothing that it does not also write undisturbed`,
      title: silence,
    }
  const line = run.exit.kind === 'threw' ? messageOf(run.exit) : tellingLine(run, undisturbedOutput)
  return {
    end: 'told',
    sentence: line === undefined ? said : `${said}: ${shortened(line)}`,
    title: toldAt(at, withoutValues(line ?? said, [...promptsOf(facts), ...quotedBy(facts)])),
  }
}

function failedBy(error: UncaughtError, facts: Facts, said: string): Ending {
  const { name, line, isOfData, isPrinted, frames } = error
  const where = ownFrame(frames, facts.folder)
  const last = facts.observed.requests.at(-1)
  // An error without a message says nothing; the last call says more.
  const call = /[:(]/.test(line) || !last ? '' : `; its last call was ${last.operation} -> ${last.status}`
  const at = where === undefined ? placeOf(facts) : ''
  const how = isPrinted ? `${said} after this error was printed` : 'an uncaught error ended it'
  return {
    end: isOfData ? 'crashed' : 'uncaught',
    sentence: `${how}: ${shortened(line)}${call}`,
    title: titleOfError(error, { at, where, prompts: promptsOf(facts) }),
    ...(where !== undefined && { where }),
    ...(!isOfData && name !== line && { error: name }),
  }
}

/** Classes that engines and tools use for several things. */
const ofSeveralThings = /^(?:TypeError|curl|wget|die)$/

/**
 * `HTTPError not caught`, or `KeyError: 'content'`; when the class says nothing, `not caught: Error: no such task`. One line reads answers
 * that are broken in several ways, so an error of a decoder is told by its place. `at` is empty or names a call.
 */
function titleOfError(
  { name, line, isOfData }: UncaughtError,
  { at, where, prompts }: { at: string; where: string | undefined; prompts: readonly string[] },
): string {
  if (isOfData)
    return where !== undefined && isDecoder(name) ? name : toldAt(at, withoutValues(line, prompts))
  if (name === line) return `${name} without a message not caught${at}`
  if (ofSeveralThings.test(name) || isGeneric(name)) return `not caught${at}: ${withoutValues(line, prompts)}`
  return `${name} not caught${at}`
}

function messageOf({ name, message }: { name: string; message: string }): string {
  return [name, message].filter(part => part !== '').join(': ')
}

/** What a run that claims success lacks; undefined when it has everything. */
function missing(now: Results, before: Results): string | undefined {
  if (now.fetched.length < before.fetched.length) {
    const [broken] = now.broken
    return broken === undefined
      ? `${now.fetched.length} of ${counted(before.fetched.length, 'file')} ${before.fetched.length === 1 ? 'was' : 'were'} fetched`
      : `${brokenDownload(broken)}, and no download of it was complete`
  }
  const seen = [countOf(now, 'seen'), countOf(needed(before), 'seen')] as const
  if (seen[0] < seen[1]) return `it saw ${seen[0]} of ${counted(seen[1], 'task')} succeed`
  // A program that hands the link on fetches nothing itself.
  const linked = [countOf(now, 'linked'), countOf(needed(before), 'linked')] as const
  if (linked[0] < linked[1]) return `it received the link of ${linked[0]} of ${counted(linked[1], 'result')}`
  return undefined
}

function brokenDownload(download: RequestView): string {
  const { status, media } = download
  const file = pathOf(download).split('/').at(-1)
  if (status >= 400) return `its download of ${file} was refused with ${status}`
  if (media !== undefined) return `${file} came ${media}`
  return `its download of ${file} ${isSilent(download) ? 'got no answer' : 'broke off'}`
}

function doneLine(now: Results, before: Results): string {
  const files =
    before.fetched.length > 0 ? ` and ${counted(now.fetched.length, 'file')} downloaded completely` : ''
  return `ended with 0, with ${counted(now.seen.length, 'task')} succeeded${files}`
}

/** The ends of a driver after which a check that fails counts: after others the system was not done, or it is known what it lacks. */
const judgedByCheck: readonly End[] = ['done', 'told', 'uncaught', 'crashed']

/**
 * How a run of a system ended: as its driver did, but for a service that ended although nobody ended it, and for a check that failed after a
 * driver that ended by itself: what it checks must hold whatever failed. An error that explains more than the check stays the cause.
 */
function systemEndingOf(facts: Facts, results: { now: Results; before: Results }): Ending {
  const { run, undisturbedSystem } = facts
  const system = run.system as SystemRun
  const driver = () => asOfDriver(programEndingOf(facts, results))
  const [ended] = endedOtherwise(system, undisturbedSystem)
  if (ended) {
    const own = ofPart(facts, ended)
    const isDone = ended.exit.kind === 'ended' && ended.exit.code === 0
    const ending: Ending = isDone
      ? { end: 'uncaught', sentence: 'ended with 0 although nobody had ended it', title: 'ends by itself' }
      : programEndingOf(own, results)
    const { sentence, isCheckFailed } = withCheck(driver(), facts, results)
    const after = system.notReady ? `${system.notReady.name} ${system.notReady.why}` : sentence
    return {
      ...ending,
      end: ending.end === 'crashed' ? 'crashed' : 'uncaught',
      sentence: `${ended.name}: ${ending.sentence}; ${after}`,
      title: `${ended.name}: ${ending.title}`,
      ...(isCheckFailed && { isCheckFailed }),
    }
  }
  if (system.notReady) {
    const { name, why } = system.notReady
    return { end: 'unfinished', sentence: `${name} ${why}`, title: `${name} does not become ready` }
  }
  return withCheck(driver(), facts, results)
}

/** The end of a driver, and what the check found. */
function withCheck(driver: Ending, facts: Facts, results: { now: Results; before: Results }): Ending {
  const { check } = facts.run.system as SystemRun
  if (!judgedByCheck.includes(driver.end) || !check || (check.exit.kind === 'ended' && check.exit.code === 0))
    return driver
  const own = ofPart(facts, check)
  const { sentence, title, where }: Pick<Ending, 'sentence' | 'title' | 'where'> =
    saysItself(own) ?? programEndingOf(own, results)
  const isDone = driver.end === 'done'
  const cause =
    driver.end === 'crashed' ? driver : { title: `check: ${title}`, ...(where !== undefined && { where }) }
  return {
    ...cause,
    end: isDone ? 'false_success' : driver.end,
    sentence: isDone
      ? `the driver ended with 0, but the check ${sentence}`
      : `${driver.sentence}, and the check ${sentence}`,
    isCheckFailed: true,
  }
}

/** What a check that failed says of the whole, whatever call came before; undefined when it says nothing. */
function saysItself(facts: Facts): Pick<Ending, 'sentence' | 'title'> | undefined {
  const { run, undisturbedOutput } = facts
  if (run.exit.kind !== 'ended') return undefined
  const error = uncaughtErrorOf(run)
  if (error) {
    const { name, line } = error
    if (name === line) return undefined
    const isOwnWords = isGeneric(name) || /^Assert/.test(name)
    const words = isOwnWords ? line.replace(/^[\w.$]+(?: \[\w+\])?: /, '') : line
    return {
      sentence: `ended with ${run.exit.code}: ${shortened(line)}`,
      title: withoutValues(words, promptsOf(facts)),
    }
  }
  const line = isSilentRun(run, undisturbedOutput) ? undefined : tellingLine(run, undisturbedOutput)
  if (line === undefined) return undefined
  return {
    sentence: `ended with ${run.exit.code}: ${shortened(line)}`,
    title: withoutValues(line, promptsOf(facts)),
  }
}

/** The services that ended by themselves, and do not end so undisturbed. */
function endedOtherwise(system: SystemRun, undisturbed: SystemRun | undefined): SystemRun['ended'] {
  const isUsual = ({ name, exit }: SystemRun['ended'][number]) =>
    exit.kind === 'ended' && exit.code === 0 && undisturbed?.ended.some(one => one.name === name)
  return system.ended.filter(one => !one.isBeside && !isUsual(one))
}

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
