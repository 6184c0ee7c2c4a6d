import { _, Ajv, type CodeKeywordDefinition, str } from 'ajv'
import ajvFormats from 'ajv-formats'

export { Ajv2020 } from 'ajv/dist/2020.js'

/**
 * Tests check our schemas against the meta-schema. At run time that check would double the time of the first request, and tidying the
 * code of a validator takes half of the time to make it.
 */
export function makeAjv(): Ajv {
  const ajv = new Ajv({
    verbose: true,
    strict: true,
    strictRequired: false,
    strictTypes: false,
    allowUnionTypes: true,
    meta: false,
    validateSchema: false,
    code: { optimize: false },
  })
  // ajv-formats is CommonJS: its types promise a default export inside the default export.
  const addFormats = ajvFormats as unknown as (target: Ajv) => void
  addFormats(ajv)
  for (const limit of [minLength, maxLength]) ajv.removeKeyword(limit.keyword as string).addKeyword(limit)
  return ajv
}

/**
 * Ajv counts the characters of each text, also of an inline file of 40 MB that must only not be empty: a millisecond for each
 * megabyte. A text of n UTF-16 units has at most n characters and at least n / 2, so most texts need not be counted.
 */
const minLength: CodeKeywordDefinition = {
  ...lengthKeyword('minLength'),
  code(cxt) {
    const { gen, data, schema } = cxt
    const limit = Number(schema)
    if (limit <= 1) return cxt.fail(_`${data}.length < ${limit}`)
    const count = gen.scopeValue('func', { ref: charactersIn })
    cxt.fail(_`${data}.length < ${limit} || (${data}.length < ${limit * 2} && ${count}(${data}) < ${limit})`)
  },
}

const maxLength: CodeKeywordDefinition = {
  ...lengthKeyword('maxLength'),
  code(cxt) {
    const { gen, data, schema } = cxt
    const limit = Number(schema)
    const count = gen.scopeValue('func', { ref: charactersIn })
    cxt.fail(_`${data}.length > ${limit} && (${data}.length > ${limit * 2} || ${count}(${data}) > ${limit})`)
  },
}

/** What a keyword of ajv and ours have in common. Errors of `pattern` come after those of the length, as in ajv. */
function lengthKeyword(keyword: 'minLength' | 'maxLength') {
  const comparison = keyword === 'minLength' ? 'fewer' : 'more'
  return {
    keyword,
    type: 'string',
    schemaType: 'number',
    before: 'pattern',
    error: {
      message: ({ schemaCode }) => str`must NOT have ${comparison} than ${schemaCode} characters`,
      params: ({ schemaCode }) => _`{limit: ${schemaCode}}`,
    },
  } as const satisfies Partial<CodeKeywordDefinition>
}

/** Unicode characters, as JSON Schema counts them. */
function charactersIn(text: string): number {
  let count = 0
  for (const _character of text) count++
  return count
}
