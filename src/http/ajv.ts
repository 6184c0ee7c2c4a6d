import { Ajv } from 'ajv'
import ajvFormats from 'ajv-formats'

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
  return ajv
}
