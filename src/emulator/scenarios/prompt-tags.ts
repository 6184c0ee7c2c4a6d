import { invalid } from '../faults/fault.ts'
import { nearSuggestion, suggestion } from '../wording/shown.ts'
import type { Tag, TagExample } from './amounts.ts'
import { type EffectKind, effectKinds, effectWords } from './effects/index.ts'
import { type Effects, noEffects, type TaskEffect } from './scenario.ts'

/** A tag and its kind of effect. */
interface TagRow {
  kind: EffectKind
  tag: Tag<unknown>
}

/** All tags by name, from the words of `then`. */
const tags: Readonly<Record<string, TagRow>> = Object.fromEntries(
  effectKinds.flatMap(kind =>
    Object.entries<Tag<unknown>>(effectWords[kind].tags).map(([name, tag]) => [name, { kind, tag }]),
  ),
)

/** Example tags such as `[[queue:30s]]`, with the effect of each. */
export function tagExamples(): { tag: string; does: string }[] {
  return Object.entries(tags).flatMap(([name, { tag }]) =>
    tag.examples.map(({ value, does }: TagExample) => ({ tag: written(name, value), does })),
  )
}

/** Every tag with each of its values; where values cannot be listed, the examples. */
export function everyTag(): string[] {
  return Object.entries(tags).flatMap(([name, { tag }]) =>
    (tag.values ?? tag.examples.map(({ value }) => value)).map(value => written(name, value)),
  )
}

function written(name: string, value: string): string {
  return `[[${name}${value === '' ? '' : `:${value}`}]]`
}

/**
 * A prompt without its tags (`[[fail:x]]`), and the effects of the tags; undefined when it has no tags. The blanks around a tag
 * become one. Throws `invalid_parameter` of `param` for an unknown tag, with the nearest one, and for a tag that appears twice.
 */
export function takeTags(text: string, param = 'prompt'): { text: string; effects: Effects } | undefined {
  if (!text.includes('[[')) return undefined
  // A split by a pattern with a group returns text, tag, text, tag, …, text.
  const parts = text.split(/\[\[([^[\]]*)\]\]/)
  if (parts.length === 1) return undefined
  const written = parts.filter((_, i) => i % 2 === 1)
  const effects = written.map(tag => readTag(tag, param)).reduce((sum, found) => mergeEffects(found, sum))
  const names = written.map(tag => nameOf(tag))
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice) throw invalid(param, `the tag [[${twice}]] appears twice in one prompt`)
  return {
    text: joined(parts.filter((_, i) => i % 2 === 0)),
    effects: { ...effects, rule: names.map(name => `prompt/${name}`).join(',') },
  }
}

/** The effects of both. When both have an effect, the first wins; within a task, field by field. */
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

/** An error belongs to its outcome and is not combined with another outcome. */
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
  const row = Object.hasOwn(tags, name) ? tags[name] : undefined
  const effect = row?.tag.read(value)
  if (row && effect !== undefined) return { [row.kind]: effect }
  throw invalid(param, complaint(written, name, value))
}

function complaint(written: string, name: string, value: string): string {
  const shownTag = `[[${written.length > 60 ? `${written.slice(0, 60)}...` : written}]]`
  const tag = Object.hasOwn(tags, name) ? tags[name]?.tag : undefined
  if (!tag) {
    const hint = nearSuggestion(
      name,
      Object.keys(tags),
      near => `[[${near}${tags[near]?.tag.wants ? ':…' : ''}]]`,
    )
    const all = Object.entries(tags).map(([word, row]) => `[[${word}${row.tag.wants ? ':…' : ''}]]`)
    const meant = hint ? `, ${hint} Allowed` : ', allowed'
    return `${shownTag} is not a known tag${meant} are ${all.join(', ')}`
  }
  if (tag.wants === undefined) return `${shownTag} is not a known tag, ${suggestion(`[[${name}]]`)}`
  const hint = nearSuggestion(value, tag.values ?? [], near => `[[${name}:${near}]]`)
  const rule = `after [[${name}: comes ${tag.wants}`
  return `${shownTag} is not a known tag${hint ? `, ${hint} A` : ', a'}${rule.slice(1)}`
}

/** Joins the texts between tags: blanks around a tag become one blank (or one line break), and none at either end. */
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
