import { rulesOf } from './effects.ts'
import { javascript, type Language } from './javascript.ts'
import { grouped, type Named, nameIn, namesOf, ordinal } from './literal.ts'
import { notesOf } from './notes.ts'
import type { Part, TestForm } from './part.ts'
import { python } from './python.ts'
import type { Copy } from './scenario.ts'
import { type SentCall, type Step, startOf, stepsOf } from './steps.ts'

/** Further steps are left out, so that the test stays readable. */
const mostSteps = 300

/** A run as a test: in a new world it meets the same refusals and faults, sends the same calls and expects the same replies. */
export function testCopy(form: TestForm, part: Part, origin: string): Copy {
  const { trace, tasks } = part
  const language = form === 'pytest' ? python(origin) : javascript(form, origin)
  const all = stepsOf(part)
  const steps = all.slice(0, mostSteps)
  const left = all.length - steps.length
  const notes = [...notesOf(part, 'control'), ...(left > 0 ? [`${left} further steps`] : [])]
  const lines = language.file({
    title: titleOf(part),
    comments: [
      `${language.comment}Written by the console from a run of the world ${trace.world}.`,
      ...notes.map(note => `${language.comment}Not carried over: ${note}.`),
    ],
    lines: linesOf({ part, steps, ends: left > 0 ? [] : tasks, names: namesOf(tasks) }, language),
    hasCalls: steps.some(({ kind }) => kind === 'call'),
    isHeld: steps.some(step => step.kind === 'call' && step.phase !== undefined),
  })
  return { text: `${lines.join('\n')}\n`, notes }
}

function titleOf({ tasks: [first], calls: [call] }: Part): string {
  const words = first ? first.prompt || first.kind : `${call?.operation ?? 'a call'} ${call?.status ?? ''}`
  return `${words.replace(/\s+/g, ' ').slice(0, 60)}${first ? `: ${first.status}` : ''}`
}

interface Written {
  part: Part
  steps: readonly Step[]
  /** The tasks whose state at the moment of the trace is looked at. */
  ends: Part['tasks']
  names: Named
}

function linesOf({ part, steps, ends, names }: Written, language: Language): string[] {
  // From the beginning to the moment of the trace, virtual ms.
  const endMs = Date.parse(part.trace.now) - startOf(part)
  const usesTime = steps.some(({ afterMs }) => afterMs > 0) || (ends.length > 0 && endMs > 0)
  const waited = (afterMs: number, before: Step | undefined) =>
    afterMs > (before?.afterMs ?? 0) ? [language.advanceTo(grouped(afterMs))] : []
  return [
    ...rulesOf(part, 'control').map(
      ({ operation, nth, then }) =>
        `${language.comment}The ${ordinal(nth)} ${operation} goes as it went then.\n${language.inject(operation, nth, then)}`,
    ),
    ...(usesTime ? [language.start] : []),
    ...steps.flatMap((step, i) => [
      '',
      ...waited(step.afterMs, steps[i - 1]),
      ...stepLines(step, { language, names, i }),
    ]),
    ...(ends.length > 0 ? ['', ...waited(endMs, steps.at(-1))] : []),
    ...ends.map(({ id, status }) => language.endsAs(nameIn(names, id), status)),
  ]
}

interface Writing {
  language: Language
  names: Named
  i: number
}

function stepLines(step: Step, writing: Writing): string[] {
  const { language, names } = writing
  switch (step.kind) {
    case 'force': {
      const to = { status: step.status, ...(step.error && { error: step.error }) }
      return [language.force(nameIn(names, step.task), to)]
    }
    case 'expire':
      return [language.expireLink(nameIn(names, step.task))]
    case 'account':
      return [language.changeAccount(step.account, step.change)]
    case 'make':
      return [language.makeTask(nameIn(names, step.task), step.body)]
    case 'call':
      return callLines(step, writing)
  }
}

function callLines(call: SentCall, { language, names, i }: Writing): string[] {
  const { account, key_label, file, held, phase, times } = call
  const reply = file ? `file${i}` : `reply${i}`
  const waiting = `waiting${held?.id}`
  const to = file
    ? language.linkOf(nameIn(names, file.task), file.output)
    : language.pathWith(call.path, names)
  const key =
    account === null
      ? language.written('sk-wrong')
      : account === 'default' && !key_label
        ? language.ownKey
        : language.keyOf(account, key_label)
  const send = language.send(call, to, file ? undefined : key)
  const task = call.made === undefined ? [] : [language.takeNewest(nameIn(names, call.made))]
  const expected = expectations(call, { language, names, reply })
  if (phase?.kind === 'sent')
    return [
      `${language.comment}Its reply comes after that to a later call, and is read there.`,
      ...language.begin(waiting, send, phase.held),
      ...task,
    ]
  if (phase) return [language.receiveHeld(reply, waiting), ...expected]
  return [
    ...(times > 1
      ? [`${language.comment}${times} times, all answered alike.`, language.repeat(times, send)]
      : []),
    language.receive(reply, send),
    ...expected,
    ...task,
  ]
}

function expectations(
  { broken, file, hasHead, status, retryAfter, method, expected }: SentCall,
  { language, names, reply }: Omit<Writing, 'i'> & { reply: string },
): string[] {
  const head = language.hasStatus(reply, hasHead ? status : 0)
  if (broken === undefined)
    return [
      head,
      ...(retryAfter === undefined ? [] : [language.asksToWait(reply, retryAfter)]),
      ...(method === 'HEAD' ? [] : [language.isWhole(reply)]),
      ...expected.map(leaf => language.has(reply, leaf)),
    ]
  switch (broken) {
    case 'cut':
    case 'reset':
    case 'stalled':
      return [head, language.isPart(reply, broken)]
    case 'empty':
      return [head, language.isEmpty(reply)]
    case 'wrong_type':
      return [head, language.isPage(reply)]
    case 'garbled':
      return [
        head,
        ...(file
          ? language.differsFrom(reply, nameIn(names, file.task), file.output)
          : [language.isNoJson(reply)]),
      ]
  }
}
