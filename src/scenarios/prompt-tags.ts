import { faults, invalid } from '../http/errors.ts'
import type { MediaFault } from '../tasks/task.ts'
import { nearest } from '../wording/nearest.ts'
import { readDuration } from './amounts.ts'
import { proxyStatuses } from './proxy-page.ts'
import { type Effects, noEffects, type TaskEffect } from './scenario.ts'
import { resetPlaces } from './schema.ts'

/** A kind of tag: how its value is read, and what to write. */
interface Tag {
  /** Undefined when the value is none of those allowed; `''` stands for no value. */
  read(value: string): Effects | undefined
  /** The values it takes, where they can be listed. */
  values?: readonly string[]
  /** What stands after the colon, in words; absent when nothing may. */
  wants?: string
}

const mediaFaults: Record<string, MediaFault> = {
  truncated: { kind: 'truncated' },
  empty: { kind: 'empty' },
  corrupt: { kind: 'corrupt' },
  wrong_type: { kind: 'wrong_type' },
  missing_url: { kind: 'missing_url' },
  link_expired: { kind: 'link_expired' },
  link_exhausted: { kind: 'link_exhausted' },
  slow: { kind: 'slow', value: 64_000 },
  stall: { kind: 'stall', value: 0.5 },
}

const linkFaults: Record<string, MediaFault> = {
  expired: { kind: 'link_expired' },
  exhausted: { kind: 'link_exhausted' },
}

const tags: Record<string, Tag> = {
  refuse: choiceTag(Object.fromEntries(faults.map(fault => [fault, { refuse: { fault } }]))),
  fail: {
    wants: 'an error code',
    read: code =>
      /^[\w.-]{1,128}$/.test(code) ? { task: { outcome: 'failed', error: { code } } } : undefined,
  },
  queue: durationTag(queuedMs => ({ queuedMs })),
  run: durationTag(runningMs => ({ runningMs })),
  gone: durationTag(goneMs => ({ goneMs })),
  never: bareTag({ outcome: 'never' }),
  expire: bareTag({ outcome: 'expired' }),
  cancel: bareTag({ outcome: 'cancelled' }),
  proxy_page: choiceTag(
    Object.fromEntries(proxyStatuses.map(status => [status, { refuse: { proxyPage: status } }])),
  ),
  reset: choiceTag(Object.fromEntries(resetPlaces.map(reset => [reset, { connection: { reset } }]))),
  media: choiceTag(mapValues(mediaFaults, media => ({ media }))),
  link: choiceTag(mapValues(linkFaults, media => ({ media }))),
}

function choiceTag(choices: Record<string, Effects>): Tag {
  const values = Object.keys(choices)
  return {
    values,
    wants: `one of ${values.join(', ')}`,
    read: value => (Object.hasOwn(choices, value) ? choices[value] : undefined),
  }
}

function durationTag(effect: (ms: number) => TaskEffect): Tag {
  return {
    wants: 'a duration such as 30s',
    read: value => {
      const ms = readDuration(value)
      return ms === undefined ? undefined : { task: effect(ms) }
    },
  }
}

function bareTag(task: TaskEffect): Tag {
  return { read: value => (value === '' ? { task } : undefined) }
}

function mapValues<T, U>(record: Record<string, T>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
}

/**
 * A prompt without its tags (`[[fail:x]]`), and what they ask for; undefined when it has none. The blanks around a tag
 * become one. Throws `invalid_parameter` of `param` for an unknown tag, naming the nearest one, and for one that stands twice.
 */
export function takeTags(text: string, param = 'prompt'): { text: string; effects: Effects } | undefined {
  if (!text.includes('[[')) return undefined
  // A split by a pattern with a group gives text, tag, text, tag, …, text.
  const parts = text.split(/\[\[([^[\]]*)\]\]/)
  if (parts.length === 1) return undefined
  const written = parts.filter((_, i) => i % 2 === 1)
  const effects = written.map(tag => readTag(tag, param)).reduce((sum, found) => mergeEffects(found, sum))
  const names = written.map(tag => nameOf(tag))
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice) throw invalid(param, `the tag [[${twice}]] stands twice in one prompt`)
  return {
    text: joined(parts.filter((_, i) => i % 2 === 0)),
    effects: { ...effects, rule: names.map(name => `prompt/${name}`).join(',') },
  }
}

/** What both ask for; where both speak, the first wins, field by field within a task. */
export function mergeEffects(first: Effects, second: Effects): Effects {
  if (first === noEffects) return second
  if (second === noEffects) return first
  const rules = [first.rule, second.rule].filter(rule => rule !== undefined)
  return {
    ...second,
    ...first,
    ...(first.task && second.task && { task: mergeTask(first.task, second.task) }),
    ...(rules.length > 0 && { rule: rules.join(',') }),
  }
}

/** An error belongs to the outcome it came with: it does not cross over to another one. */
function mergeTask(first: TaskEffect, second: TaskEffect): TaskEffect {
  if (first.outcome === undefined) return { ...second, ...first }
  const { error: _, ...rest } = second
  return { ...rest, ...first }
}

function nameOf(written: string): string {
  return written.trim().split(':', 1)[0]?.trim() ?? ''
}

function readTag(written: string, param: string): Effects {
  const name = nameOf(written)
  const colon = written.indexOf(':')
  const value = colon < 0 ? '' : written.slice(colon + 1).trim()
  const tag = Object.hasOwn(tags, name) ? tags[name] : undefined
  const effects = tag?.read(value)
  if (effects) return effects
  throw invalid(param, complaint(written, name, value))
}

function complaint(written: string, name: string, value: string): string {
  const shownTag = `[[${written.length > 60 ? `${written.slice(0, 60)}...` : written}]]`
  const tag = Object.hasOwn(tags, name) ? tags[name] : undefined
  if (!tag) {
    const near = nearest(name, Object.keys(tags))
    const all = Object.entries(tags).map(([word, { wants }]) => `[[${word}${wants ? ':…' : ''}]]`)
    const meant = near ? `, did you mean [[${near}${tags[near]?.wants ? ':…' : ''}]]? Allowed` : ', allowed'
    return `${shownTag} is not a known tag${meant} are ${all.join(', ')}`
  }
  if (tag.wants === undefined) return `${shownTag} is not a known tag, did you mean [[${name}]]?`
  const near = nearest(value, tag.values ?? [])
  const rule = `after [[${name}: stands ${tag.wants}`
  return `${shownTag} is not a known tag${near ? `, did you mean [[${name}:${near}]]? A` : ', a'}${rule.slice(1)}`
}

/** The pieces between tags as one text: blanks around a tag become one, a line break when there was one, nothing at either end. */
function joined([first = '', ...rest]: string[]): string {
  let text = first
  for (const part of rest) {
    const left = text.trimEnd()
    const right = part.trimStart()
    const gap = text.slice(left.length) + part.slice(0, part.length - right.length)
    if (left === '') text = right
    else text = left + (gap.includes('\n') ? '\n' : gap && ' ') + right
  }
  return rest.at(-1)?.trim() === '' ? text.trimEnd() : text
}
