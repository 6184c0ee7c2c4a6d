import type { Schema } from '../../src/emulator/http/validate.ts'

/** A body with one mistake. */
export interface Mutation {
  /** The place, and the value that was put there. */
  name: string
  /** JSON text: some bodies cannot be written as a JavaScript value. It is made when it is read, since many are 100 kB long. */
  readonly body: string
}

function mutation(path: Path, mistake: string, write: () => string): Mutation {
  return {
    name: `${path.join('.') || 'all'} ${mistake}`,
    get body() {
      return write()
    },
  }
}

type Path = readonly (string | number)[]

const long = 'x'.repeat(100_000)
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const inObjects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

/**
 * JSON texts that are wrong at every place: wrong types, numbers beyond all bounds, odd texts, depth, and words with a meaning
 * elsewhere.
 */
export const hostileTexts: readonly string[] = [
  ...['null', 'true', 'false', '[]', '{}', '[null]', '[{}]', '[[]]', '{"a":{"b":[]}}'],
  ...['0', '-0', '-1', '1', '2', '1.5', '1e-320', '-1e308', '1e400', '-1e400', '9007199254740993'],
  ...['99999999999999999999', '2147483648', '-2147483649', '1e21', '3.0000000000000000001'],
  ...['""', '" "', '"\\n"', '"0"', '"-1"', '"true"', '"null"', '"NaN"', '"Infinity"', '"1e999"'],
  // NUL, other control signs, half of a surrogate pair, the wrong half, direction marks, joiners, a byte order mark, 40 accents on one letter.
  ...['"\\u0000"', '"a\\u0000b"', '"\\u0007\\u001b[31m"', '"\\ud800"', '"\\udc00\\ud800"', '"x\\ud83d"'],
  ...[
    '"\\u202e\\u0644\\u2066abc"',
    '"👩‍👩‍👧‍👦🏳️‍🌈"',
    '"\\ufeff"',
    `"e${'\\u0301'.repeat(40)}"`,
    '"\\uffff\\ufffe"',
  ],
  // Names that every object has.
  ...['"__proto__"', '"constructor"', '"prototype"', '"toString"', '"hasOwnProperty"', '"__defineGetter__"'],
  ...['{"__proto__":{"polluted":true}}', '{"\\u005f_proto__":{"polluted":true}}'],
  ...['{"constructor":{"prototype":{"polluted":true}}}', '{"toString":1,"valueOf":1}', '{"length":-1}'],
  // References to missing or forbidden places.
  ...[
    '"http://"',
    '"http://["',
    '"https://user:pass@127.0.0.1:1/"',
    '"file:///etc/passwd"',
    '"//x"',
    '"data:"',
  ],
  ...['"data:image/png;base64,"', '"data:image/png;base64,AAAA"', '"data:video/mp4,%00"', '"asset://"'],
  ...[
    '"asset://../../x"',
    '"mm_file://x"',
    '"oss://x/../y"',
    '"javascript:alert(1)"',
    '"http://127.0.0.1:1/x.png"',
  ],
  ...[
    '"../../../../etc/passwd"',
    '"C:\\\\windows"',
    '"<script>alert(1)</script>"',
    '"</text><image href=\\"x\\"/>"',
  ],
  ...[
    '"[["',
    '"[[fail"',
    '"[[no such tag]]"',
    '"[[fail:<&>]] x"',
    '"[[queue:99999d]] x"',
    '"[[media:corrupt]] x"',
  ],
  ...['"{{7*7}}"', '"%s%n%d"', '"\' OR 1=1 --"', '"a\\r\\nX-Injected: 1"'],
  ...[nested(60), nested(70), nested(20_000), inObjects(60), inObjects(5000)],
  ...[`"${long}"`, `[${Array(2000).fill('0').join()}]`, `[${Array(2000).fill('{}').join()}]`, `["${long}"]`],
]

/** Keys that an object may get in addition to its own. */
const hostileKeys: readonly string[] = [
  ...[
    '__proto__',
    '\\u005f_proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '',
    ' ',
    '\\u0000',
    '\\ud800',
  ],
  ...['a/b~0c', 'a.b[0]', '$ref', long],
]

/** Every body that differs from the example in one field, for every field of the schema and the example. */
export function* mutationsOf(schema: Schema, example: unknown): Generator<Mutation> {
  for (const path of placesIn(schema, example)) {
    for (const text of hostileTexts)
      yield mutation(path, `= ${text.slice(0, 40)}`, () => withText(example, path, text))
    yield mutation(path, 'is not there', () => JSON.stringify(without(example, path)))
  }
  for (const path of [[], ...placesIn(schema, example)]) {
    const object = valueAt(example, path)
    if (!isObject(object)) continue
    const own = JSON.stringify(object).slice(1, -1)
    for (const key of hostileKeys)
      yield mutation(path, `with ${key.slice(0, 40)}`, () =>
        withText(example, path, `{"${key}":{"polluted":true}${own ? `,${own}` : ''}}`),
      )
  }
}

/** Bodies that are not valid as a whole. */
export const wholeBodies: readonly Mutation[] = [
  ...hostileTexts.map(body => mutation([], `= ${body.slice(0, 40)}`, () => body)),
  ...[
    '{',
    '}',
    '{"a":}',
    '{"a" 1}',
    "{'a':1}",
    '{"a":1,}',
    '\u0000',
    '\ufeff{}',
    '{"a":1}{"b":2}',
    'undefined',
  ].map(body => mutation([], `not JSON: ${body}`, () => body)),
  mutation([], '5000 keys', () => `{${Array.from({ length: 5000 }, (_, i) => `"k${i}":${i}`).join()}}`),
]

/** The places of an example, and those that only the schema has. */
function placesIn(schema: Schema, example: unknown): Path[] {
  const found = new Map<string, Path>()
  const add = (path: Path) => found.set(JSON.stringify(path), path)
  for (const path of [...inSchema(schema, []), ...inValue(example, [])]) if (path.length > 0) add(path)
  return [...found.values()]
}

function* inSchema(schema: Schema, path: Path): Generator<Path> {
  yield path
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    if (isObject(property)) yield* inSchema(property as Schema, [...path, name])
  if (isObject(schema.items)) yield* inSchema(schema.items as Schema, [...path, 0])
  for (const part of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])])
    if (isObject(part)) yield* inSchema(part as Schema, path)
}

function* inValue(value: unknown, path: Path): Generator<Path> {
  yield path
  if (Array.isArray(value))
    for (const [index, entry] of value.entries()) yield* inValue(entry, [...path, index])
  else if (isObject(value))
    for (const [key, entry] of Object.entries(value)) yield* inValue(entry, [...path, key])
}

const mark = '@@here@@'

function withText(example: unknown, path: Path, text: string): string {
  return JSON.stringify(withValue(example, path, mark)).replace(`"${mark}"`, () => text)
}

function withValue(example: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value
  if (typeof step === 'number') {
    const list = Array.isArray(example) ? [...example] : []
    list[step] = withValue(list[step], rest, value)
    return list
  }
  const object = isObject(example) ? example : {}
  return { ...object, [step]: withValue(object[step], rest, value) }
}

function without(example: unknown, [step, ...rest]: Path): unknown {
  if (step === undefined) return undefined
  if (Array.isArray(example))
    return example.flatMap((entry, index) =>
      index !== step ? [entry] : rest.length ? [without(entry, rest)] : [],
    )
  if (!isObject(example)) return example
  const entries = Object.entries(example).flatMap(([key, entry]) =>
    key !== step ? [[key, entry] as const] : rest.length ? [[key, without(entry, rest)] as const] : [],
  )
  return Object.fromEntries(entries)
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (found, step) => (Array.isArray(found) ? found[Number(step)] : isObject(found) ? found[step] : undefined),
    value,
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
