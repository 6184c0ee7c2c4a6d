import { guidePages, textOf } from '../guide/contents.ts'

const prefix = 'gateway-emulator://guide/'

/** A page of the guide as a resource of the protocol. */
export interface GuideResource {
  uri: string
  name: string
  title: string
  mimeType: 'text/markdown'
}

/** Every page of the guide. */
export function guideResources(): GuideResource[] {
  return guidePages().map(({ name, title }) => ({
    uri: prefix + name,
    name,
    title,
    mimeType: 'text/markdown',
  }))
}

/** The Markdown of a page by its address; undefined for an address of no page. */
export function guideResource(uri: string): { uri: string; mimeType: string; text: string } | undefined {
  const page = guidePages().find(({ name }) => prefix + name === uri)
  return page && { uri, mimeType: 'text/markdown', text: textOf(page.path) }
}

/** The prompt that asks an agent for a test of a client. */
export const testPrompt = {
  name: 'write_a_test',
  title: 'Write a test for this client',
  description:
    'Writes tests of a client of the Generation Gateway: one where all goes well, and one for each failure that matters.',
  arguments: [
    { name: 'client', description: 'The file or function under test.', required: true },
    {
      name: 'runner',
      description: 'The test runner, such as vitest, Jest or pytest; found out when absent.',
    },
  ],
} as const

/** The text of the prompt for a client. */
export function testPromptText({ client, runner }: { client: string; runner?: string | undefined }): string {
  const with_ = runner === undefined ? 'the test runner that the project uses' : runner
  return `Write tests of ${client}, a client of the Generation Gateway, with ${with_}.

1. Read the resources gateway-emulator://guide/integration-tests and gateway-emulator://guide/script-a-failure.
2. Read the client: which operations does it call, and where does it take base address and key from? If they are fixed, make them settings.
3. Try it first: create_world, run the client with the base_url and api_key of the answer, then get_trace and get_findings.
4. Write a test in which all goes well. It asserts what the client returns, and by must_have (JavaScript: mustHave) how many creates came.
5. list_failures for each operation that the client calls. For each failure that the client should survive, or should report, write a test
   that injects it, and asserts what the caller gets and that nothing was paid twice (ledger).
6. Run the tests. A test that fails because the client is wrong is a finding: report it, and do not weaken the test.
7. drop_world for each world that you made.`
}
