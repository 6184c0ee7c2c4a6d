import type { Schema } from '../http/validate.ts'

export type Document = Record<string, unknown>

/** The default address of the emulator, for documents that are printed and not served. */
export const usualAddress = 'http://127.0.0.1:8585'

/** A JSON reply. */
export function json(description: string, schema: Schema): Document {
  return { description, content: { 'application/json': { schema } } }
}

/** A path with its parameters in braces. */
export function openPath(path: string): string {
  return path.replace(/:([a-z_]+)/g, '{$1}')
}

/** The parameters of a path, with the values that are known, an example first. */
export function pathParameters(
  path: string,
  values: Readonly<Record<string, readonly string[]>> = {},
): object[] {
  return [...path.matchAll(/:([a-z_]+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', ...(values[name] && values[name].length > 1 && { enum: values[name] }) },
    ...(values[name] && { example: values[name][0] }),
  }))
}

/** The parameters of a query or of headers, from their schema. */
export function namedParameters(place: 'query' | 'header', parameters: Schema | undefined): object[] {
  return Object.entries(parameters?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: place,
    required: parameters?.required?.includes(name) ?? false,
    schema,
  }))
}
