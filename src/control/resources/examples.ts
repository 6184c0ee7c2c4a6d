import { readFixture } from '../../package/files.ts'
import { tagExamples } from '../../scenarios/prompt-tags.ts'
import { endpoints, listed } from '../control-endpoint.ts'
import { exampleRequests } from '../example-requests.ts'

/** The content of the console's playground: request bodies, model names and prompt tags. */
export const exampleEndpoints = endpoints({
  'GET /examples': {
    summary: 'Example requests of each create, with sample media filled in',
    handle: ({ baseUrl }) => listed(exampleRequests(baseUrl)),
  },
  'GET /models': {
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
  'GET /prompt-tags': {
    summary: 'Tags for prompts, with the effect of each',
    handle: ({ services }) => listed(services.options.promptTags === 'on' ? tagExamples() : []),
  },
})
