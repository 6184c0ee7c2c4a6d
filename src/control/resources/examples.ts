import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fixturePath, readFixture } from '../../package/files.ts'
import { tagExamples } from '../../scenarios/prompt-tags.ts'
import { type ControlEndpoint, listed } from '../control-endpoint.ts'

interface Example {
  operation: string
  name: string
  body: unknown
}

/** The content of the console's playground: request bodies, model names and prompt tags. */
export const exampleEndpoints: readonly ControlEndpoint[] = [
  {
    method: 'GET',
    paths: ['/examples'],
    summary: 'Example requests of each create, with sample media filled in',
    async handle({ baseUrl }) {
      return listed(await readExamples(`${baseUrl}/__emulator/samples`))
    },
  },
  {
    method: 'GET',
    paths: ['/models'],
    summary: 'Models by neutral id, with their published names',
    handle({ services }) {
      const known = Object.entries(readFixture<Record<string, string[]>>('models.json'))
      const added = (id: string) =>
        Object.entries(services.options.models)
          .filter(([, model]) => model === id)
          .map(([alias]) => alias)
      return listed(known.map(([id, names]) => ({ id, names: [...names, ...added(id)] })))
    },
  },
  {
    method: 'GET',
    paths: ['/prompt-tags'],
    summary: 'Tags for prompts, with the effect of each',
    handle: ({ services }) => listed(services.options.promptTags === 'on' ? tagExamples() : []),
  },
]

/** Files are named `<operation>.<what>.json`; `{{samples}}` in them is replaced by the address of the sample media. */
async function readExamples(samples: string): Promise<Example[]> {
  const files = await readdir(fixturePath('requests'), { recursive: true })
  const names = files.filter(file => file.endsWith('.json')).sort()
  return await Promise.all(
    names.map(async file => {
      const text = await readFile(join(fixturePath('requests'), file), 'utf8')
      const parts = (file.split(/[\\/]/).at(-1) ?? '').split('.').slice(0, -1)
      const name = (parts.at(-1) ?? '').replaceAll('-', ' ')
      return {
        operation: parts.slice(0, -1).join('.'),
        name,
        body: JSON.parse(text.replaceAll('{{samples}}', samples)),
      }
    }),
  )
}
