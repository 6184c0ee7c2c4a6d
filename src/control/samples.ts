import { existsSync } from 'node:fs'
import { extname } from 'node:path'
import { mediaType } from '../media/recipe.ts'
import { fixturePath } from '../package/files.ts'

/** A sample's path and type by its plain name; undefined for any other name. */
export function sampleFile(name: string): { path: string; type: string } | undefined {
  if (!/^[\w-]+\.[a-z0-9]+$/.test(name) || name === 'index.json') return undefined
  const path = fixturePath(`media/samples/${name}`)
  return existsSync(path) ? { path, type: mediaType(extname(name).slice(1)) } : undefined
}
