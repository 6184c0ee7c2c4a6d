import { misfit } from '../../src/emulator/http/validate.ts'
import { examplesOf, pathOf, type Row } from '../../test/support/contract.ts'
import type { Gateway } from '../../test/support/gateway.ts'
import { plainClient } from '../../test/support/plain-client.ts'
import { type Mutation, mutationsOf, wholeBodies } from './mutations.ts'

type Target = Pick<Gateway, 'url' | 'post'>

/** The results of an endpoint's mutations. */
export interface Outcome {
  sent: number
  accepted: number
  /** Results that must not occur: a 5xx, a refusal in another shape, a broken connection. */
  faults: string[]
}

/** Every mutation of every example request of an endpoint. */
export function mutationsFor(row: Row, target: Target): Mutation[] {
  const examples = examplesOf(row.title, target)
  const bodies = examples.flatMap(({ body }) => [...mutationsOf(row.endpoint.body ?? {}, body)])
  return [...bodies, ...wholeBodies]
}

/** Sends mutations to an endpoint in their own world, a few at a time. */
export async function tryMutations(
  row: Row,
  target: Target,
  { mutations, world }: { mutations: readonly Mutation[]; world: string },
): Promise<Outcome> {
  const path = await pathOf(row, target)
  const client = plainClient(target.url)
  const outcome: Outcome = { sent: 0, accepted: 0, faults: [] }
  const headers = { Authorization: `Bearer sk-test-${world}`, 'Content-Type': 'application/json' }
  const left = mutations.values()
  const worker = async () => {
    for (const mutation of left) {
      outcome.sent++
      const fault = await client
        .send({ method: row.endpoint.method, path, headers, body: mutation.body })
        .then(({ status, text }) => {
          if (status === 200) outcome.accepted++
          return judge(row, status, text)
        })
        .catch(error => `no answer: ${error}`)
      if (fault) outcome.faults.push(`${row.title}: ${mutation.name}: ${fault}`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  client.close()
  return outcome
}

function judge({ endpoint, family }: Row, status: number, text: string): string | undefined {
  if (status >= 500) return `${status} ${text.slice(0, 300)}`
  const schema = endpoint.replies[status] ?? family.dialect.errorSchema
  try {
    const problem = misfit(schema, JSON.parse(text))
    return problem && `${status} of a wrong shape: ${problem}`
  } catch {
    return `${status} that is no JSON: ${text.slice(0, 300)}`
  }
}
