import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fixturePath, late } from '../package/files.ts'

/** A request body that the emulator accepts as it is. */
export interface ExampleRequest {
  operation: string
  name: string
  body: unknown
}

interface ExampleFile {
  operation: string
  name: string
  text: string
}

/** The files of the package, read once. Saves 2 ms, for 35 files, in each API document and each page of examples. */
const files = late(readFiles)

/** Example requests of each create, the one with text alone first. Their media are samples of the emulator at `baseUrl`. */
export function exampleRequests(baseUrl: string): ExampleRequest[] {
  return files().map(({ operation, name, text }) => ({
    operation,
    name,
    body: JSON.parse(withSamples(text, baseUrl)),
  }))
}

/** A text with the address of the samples in its places. */
export function withSamples(text: string, baseUrl: string): string {
  return text.replaceAll('{{samples}}', `${baseUrl}/__emulator/samples`)
}

/** Files are named `<operation>.<what>.json`. They do not change while the process runs. */
function readFiles(): ExampleFile[] {
  const folder = fixturePath('requests')
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file =>
    file.endsWith('.json'),
  )
  const found = names.sort().map(file => {
    const parts = (file.split(/[\\/]/).at(-1) ?? '').split('.').slice(0, -1)
    return {
      operation: parts.slice(0, -1).join('.'),
      name: (parts.at(-1) ?? '').replaceAll('-', ' '),
      text: readFileSync(join(folder, file), 'utf8'),
    }
  })
  return [...found.filter(({ name }) => name === 'text'), ...found.filter(({ name }) => name !== 'text')]
}
