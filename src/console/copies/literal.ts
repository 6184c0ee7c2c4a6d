import type { Path } from '../parts/path.ts'

/** How a language writes values. */
export interface Spelling {
  words: Readonly<Record<'true' | 'false' | 'null', string>>
  /** A key of an object, given as its text. */
  key(text: string): string
  /** A string; one that begins with the emulator's address is written with the address of the test's emulator. */
  string(text: string): string
  indent: string
}

/** A JSON value as a literal of a language, broken into lines where one would be long. `depth` is how far it is indented. */
export function literal(value: unknown, spelling: Spelling, depth = 0): string {
  if (typeof value === 'string') return spelling.string(value)
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'object' || value === null)
    return spelling.words[value === true ? 'true' : value === false ? 'false' : 'null']
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const parts = Array.isArray(value)
    ? value.map(item => literal(item, spelling, depth + 1))
    : Object.entries(value).map(
        ([key, item]) => `${spelling.key(key)}: ${literal(item, spelling, depth + 1)}`,
      )
  if (parts.length === 0) return open + close
  const line = Array.isArray(value) ? `[${parts.join(', ')}]` : spacedLine(parts, spelling)
  if (line.length + depth * spelling.indent.length <= longest && !line.includes('\n')) return line
  const inner = spelling.indent.repeat(depth + 1)
  return `${open}\n${parts.map(part => `${inner}${part},`).join('\n')}\n${spelling.indent.repeat(depth)}${close}`
}

const longest = 88

/** Python's habit is `{"a": 1}`, that of JavaScript `{ a: 1 }`. */
function spacedLine(parts: readonly string[], { indent }: Spelling): string {
  return indent.length === 2 ? `{ ${parts.join(', ')} }` : `{${parts.join(', ')}}`
}

/** The expression that reads a value: `.error.code`, `["error"]["code"]`. */
export function accessTo(path: Path, language: 'python' | 'javascript'): string {
  return path
    .map(step =>
      language === 'javascript' && typeof step === 'string' && /^[A-Za-z_$][\w$]*$/.test(step)
        ? `.${step}`
        : `[${JSON.stringify(step)}]`,
    )
    .join('')
}

/** A whole number with its thousands apart, as both languages read it: `1_200_000`. */
export function grouped(ms: number): string {
  return String(ms).replace(/\B(?=(\d{3})+$)/g, '_')
}

/** `1st`, `2nd`, `11th`. */
export function ordinal(nth: number): string {
  const ending = nth % 100 >= 11 && nth % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][nth % 10] ?? 'th')
  return `${nth}${ending}`
}

/** The variables of tasks in a copied test, by id. */
export type Named = ReadonlyMap<string, string>

/** `id` for a single task, else `id1`, `id2`. */
export function namesOf(tasks: readonly { id: string }[]): Named {
  return new Map(tasks.map(({ id }, i) => [id, tasks.length === 1 ? 'id' : `id${i + 1}`]))
}

export function nameIn(names: Named, id: string): string {
  return names.get(id) ?? 'id'
}
