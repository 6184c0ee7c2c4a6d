/** Every operation id of the scenario language. A test compares this list with the endpoints of the families. */
export const operations = [
  'a.create',
  'a.get',
  'a.list',
  'a.delete',
  'b.create',
  'b.get',
  'b.list',
  'b.cancel',
  'c.create',
  'c.get',
  'c.list',
  'c.delete',
  'c.enhance',
  'c.regenerate',
  'special.create',
  'special.get',
  'special.list',
  'special.delete',
  'special.enhance',
  'special.regenerate',
  'k.create',
  'k.avatar.create',
  'k.avatar.get',
  'k.voice.create',
  'k.voice.get',
  'k.omni.create',
  'k.motion.create',
  'k.presets.list',
  'k.tasks.get',
  'image.generate',
  'media.download',
] as const

export type Operation = (typeof operations)[number]

/** The operation whose `media` and `connection` effects change one download. */
export const downloadOperation = 'media.download'

/** The family ids that `when.family` may name. */
export const familyIds = ['a', 'b', 'c', 'special', 'k', 'image'] as const

/** The values of `when.mode`: the modes that a combination of inputs selects, and a declared task type that the prompt contradicts. */
export const modes = [
  'text',
  'first_frame',
  'last_frame',
  'first_last_frame',
  'reference',
  'edit',
  'extend',
  'regeneration',
  'layers',
  'type_mismatch',
] as const

const making = /\.(create|enhance|regenerate|generate)$/

/** True for operations that make a task: `task` and `media` effects act on these. */
export function makesTask(operation: string): boolean {
  return making.test(operation)
}

/** True for operations whose reply has the result: their task is finished when it is made, so it succeeds or fails. */
export function answersAtOnce(operation: string): boolean {
  return operation.endsWith('.generate')
}

/** The operations that match a glob. */
export function operationsMatching(glob: string): Operation[] {
  const pattern = globPattern(glob)
  return operations.filter(operation => pattern.test(operation))
}

/**
 * The pattern of a glob over operation ids: `*` matches any characters, dots included. Several stars in a row count as one, because
 * separate patterns for them would take exponential time.
 */
export function globPattern(glob: string): RegExp {
  const parts = glob.split(/\*+/).map(part => part.replace(/[^\w]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`)
}

/** Words for the hint when a glob matches nothing: the ids, and common globs. */
export function knownGlobs(): string[] {
  const prefixes = new Set(operations.map(operation => `${operation.split('.')[0]}.*`))
  const suffixes = new Set(operations.map(operation => `*.${operation.split('.').at(-1)}`))
  return [...operations, ...prefixes, ...suffixes]
}
