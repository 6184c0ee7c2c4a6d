import { counted } from './counted.ts'
import type { Facts } from './facts.ts'
import { ownFrame } from './own-frame.ts'
import type { Results } from './results.ts'
import type { UncaughtError } from './uncaught/error.ts'
import { uncaughtErrorOf } from './uncaught/index.ts'
import type { End } from './verdicts.ts'
import { waitingOf } from './waiting.ts'
import { isSilentRun, shortened, tellingLine } from './written.ts'

/** The end of a run: one sentence with the facts, and the cause in the fewest words. */
export interface Ending {
  end: End
  sentence: string
  title: string
  /** The innermost frame in the user's own files, where the program printed a stack. */
  where?: string
}

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
export function endingOf(facts: Facts, { now, before }: { now: Results; before: Results }): Ending {
  const { exit } = facts.run
  switch (exit.kind) {
    case 'limit':
    case 'endless': {
      const { sentence, title, isEndless } = waitingOf(facts)
      return { end: isEndless ? 'hung' : 'unfinished', sentence, title }
    }
    case 'signal':
      return { end: 'crashed', sentence: `ended by ${exit.signal}`, title: `ended by ${exit.signal}` }
    case 'ended':
      return exit.code === 0 ? succeeded(now, before) : failed(facts, `ended with ${exit.code}`)
    case 'threw':
      return failed(facts, 'threw an error')
  }
}

function succeeded(now: Results, before: Results): Ending {
  const lacking = missing(now, before)
  if (lacking === undefined) return { end: 'done', sentence: doneLine(now, before), title: 'done' }
  return {
    end: 'false_success',
    sentence: `ended with 0, but ${lacking}`,
    title: now.broken.length > 0 ? 'takes a broken file for the result' : 'ends with 0 without the result',
  }
}

function failed({ run, undisturbedOutput, folder }: Facts, said: string): Ending {
  const error = uncaughtErrorOf(run)
  const signal = run.exit.kind === 'ended' ? signals[run.exit.code] : undefined
  if (error) {
    const where = ownFrame(error.frames, folder)
    const line = shortened(error.line)
    return {
      end: error.isOfData ? 'crashed' : 'uncaught',
      sentence: `an uncaught error ended it: ${line}`,
      title: error.isOfData ? withoutValues(line) : `${nameFor(error, line)} not caught`,
      ...(where !== undefined && { where }),
    }
  }
  if (signal !== undefined)
    return { end: 'crashed', sentence: `${said}: ${signal} ended a part of it`, title: `ended by ${signal}` }
  const isThrown = run.exit.kind === 'threw'
  if (!isThrown && run.output.trim() === '')
    return { end: 'uncaught', sentence: `${said} and wrote nothing`, title: 'fails in silence' }
  if (!isThrown && isSilentRun(run, undisturbedOutput))
    return {
      end: 'uncaught',
      sentence: `${said} and wrote nothing that it does not also write undisturbed`,
      title: 'fails in silence',
    }
  const line = run.exit.kind === 'threw' ? shortened(messageOf(run.exit)) : tellingLine(run)
  return {
    end: 'told',
    sentence: line === undefined ? said : `${said}: ${line}`,
    title: withoutValues(line ?? said),
  }
}

/** A class such as Error says nothing without its message. */
function nameFor({ name }: UncaughtError, line: string): string {
  return /^(?:an error|[eE]rror|TypeError|Exception|RuntimeError|RuntimeException|StandardError)$/.test(name)
    ? withoutValues(line)
    : name
}

function messageOf({ name, message }: { name: string; message: string }): string {
  return [name, message].filter(part => part !== '').join(': ')
}

/** A message without ids, numbers and addresses, so that cases with the same cause have the same words. */
function withoutValues(line: string): string {
  return line
    .replaceAll(/\bhttps?:\/\/\S+/g, '…')
    .replaceAll(/\b(?=[\w-]*\d)[\w-]{12,}\b/g, '…')
    .replaceAll(/\b\d[\d.:,]*\b/g, '…')
}

/** What a run that claims success lacks; undefined when it has everything. */
function missing(now: Results, before: Results): string | undefined {
  const [broken] = now.broken
  if (now.fetched.length < before.fetched.length)
    return broken === undefined
      ? `${now.fetched.length} of ${counted(before.fetched.length, 'file')} ${before.fetched.length === 1 ? 'was' : 'were'} fetched`
      : `its download of ${broken.split('/').at(-1)} was broken, and it made no complete one`
  if (now.seen.length < before.seen.length)
    return `it saw ${now.seen.length} of ${counted(before.seen.length, 'task')} succeed`
  // A program that hands the link on fetches nothing itself.
  if (now.linked.length < before.linked.length)
    return `it received the link of ${now.linked.length} of ${counted(before.linked.length, 'result')}`
  return undefined
}

function doneLine(now: Results, before: Results): string {
  const files =
    before.fetched.length > 0 ? ` and ${counted(now.fetched.length, 'file')} downloaded completely` : ''
  return `ended with 0, with ${counted(now.seen.length, 'task')} succeeded${files}`
}
