type Test = (value: unknown) => boolean

/** By schema. */
const tests = new WeakMap<object, Test>()

/**
 * Whether a value has the shape for certain. False says nothing: then ajv decides, and names the error. Most requests are right, and
 * loading ajv and compiling a first schema takes half of the time of the first reply.
 */
export function isSurelyValid(schema: object, value: unknown): boolean {
  let test = tests.get(schema)
  if (!test) {
    test = testOf(schema)
    tests.set(schema, test)
  }
  return test(value)
}

/** All keywords of a schema in one test. With a keyword that is not in the table, no value is valid for certain. */
function testOf(schema: unknown): Test {
  if (!isObject(schema)) return never
  const parts = Object.entries(schema)
    .filter(([keyword]) => !annotations.has(keyword))
    .map(([keyword, given]) => keywords.get(keyword)?.(given as never, schema) ?? never)
  const [first = always] = parts
  return parts.length < 2 ? first : value => passesAll(parts, value)
}

const never: Test = () => false
const always: Test = () => true

function passesAll(parts: readonly Test[], value: unknown): boolean {
  for (const test of parts) if (!test(value)) return false
  return true
}

/**
 * What schemas tell readers beside the rules of JSON Schema. `x-values`: the values of a field whose other values are refused later, with a
 * message of the family. `x-models`: the models of an operation by their neutral ids. `x-refused`: the service refuses the field.
 */
export const schemaMarks = ['x-values', 'x-models', 'x-refused'] as const

const annotations = new Set<string>(['title', 'description', 'default', 'examples', ...schemaMarks])

const types = new Map<string, Test>([
  ['string', isText],
  ['number', isNumber],
  ['integer', Number.isInteger],
  ['boolean', value => typeof value === 'boolean'],
  ['null', value => value === null],
  ['array', Array.isArray],
  ['object', isObject],
])

/** The test of each keyword of JSON Schema. A keyword for one type lets values of other types pass. */
const keywords = new Map<string, (given: never, schema: JsonObject) => Test>(
  Object.entries({
    type: (given: string | readonly string[]) =>
      typeof given === 'string' ? (types.get(given) ?? never) : someOf(given.map(type => ({ type }))),
    // An object or array is not found in the list, since it is equal to itself only.
    enum: (given: readonly unknown[]) => value => given.includes(value),
    const: (given: unknown) => value => value === given,
    anyOf: (given: readonly unknown[]) => someOf(given),
    minimum: (least: number) => when(isNumber, value => value >= least),
    maximum: (most: number) => when(isNumber, value => value <= most),
    // In UTF-16 units, of which a character has one or two: ajv counts characters.
    minLength: (least: number) => when(isText, value => value.length >= 2 * least - 1),
    maxLength: (most: number) => when(isText, value => value.length <= most),
    pattern(given: string) {
      const pattern = new RegExp(given, 'u')
      return when(isText, value => pattern.test(value))
    },
    minItems: (least: number) => when(Array.isArray, value => value.length >= least),
    maxItems: (most: number) => when(Array.isArray, value => value.length <= most),
    items(given: unknown) {
      const test = testOf(given)
      return when(Array.isArray, value => value.every(test))
    },
    minProperties: (least: number) => when(isObject, value => Object.keys(value).length >= least),
    maxProperties: (most: number) => when(isObject, value => Object.keys(value).length <= most),
    required: (names: readonly string[]) =>
      when(isObject, value => names.every(name => value[name] !== undefined)),
    properties(given: JsonObject) {
      const parts = Object.entries(given).map(([name, schema]) => ({ name, test: testOf(schema) }))
      return when(isObject, value => {
        for (const { name, test } of parts) {
          const part = value[name]
          if (part !== undefined && !test(part)) return false
        }
        return true
      })
    },
    additionalProperties(given: unknown, { properties = {} }: JsonObject) {
      const test = testOf(given)
      const isNamed = (name: string) => Object.hasOwn(properties as object, name)
      return when(isObject, value =>
        Object.entries(value).every(([name, part]) => isNamed(name) || test(part)),
      )
    },
  }),
)

type JsonObject = Readonly<Record<string, unknown>>

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value)
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A test of values of one type, which lets other values pass. */
function when<T>(isOfType: (value: unknown) => value is T, test: (value: T) => boolean): Test {
  return value => !isOfType(value) || test(value)
}

function someOf(schemas: readonly unknown[]): Test {
  const alternatives = schemas.map(testOf)
  return value => alternatives.some(test => test(value))
}
