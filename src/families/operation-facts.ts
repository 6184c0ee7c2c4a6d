import type { Endpoint } from '../pipeline/endpoint.ts'
import type { OperationFacts } from '../scenarios/live-rules.ts'
import { downloadOperation } from '../scenarios/operations.ts'
import { families } from './index.ts'
import { modelNames, neutralModel } from './models.ts'

/** What requests of each operation can hold, by which rules that can never act are found. */
export function operationFacts(): OperationFacts[] {
  const calls = families.flatMap(({ id, endpoints }) => endpoints.map(endpoint => factsOf(endpoint, id)))
  const download: OperationFacts = {
    operation: downloadOperation,
    families: families.map(({ id }) => id),
    models: modelNames(),
    hasMode: false,
    hasPrompt: false,
    hasBody: false,
    namesTask: true,
  }
  return [...calls, download]
}

function factsOf({ operation, paths, reads, body, tasksIn }: Endpoint, family: string): OperationFacts {
  return {
    operation,
    families: [family],
    models: modelNames().filter(name => reads?.models.includes(neutralModel(name, {}) ?? '')),
    hasMode: reads?.mode !== undefined,
    hasPrompt: (reads?.prompts.length ?? 0) > 0,
    hasBody: body !== undefined,
    namesTask: tasksIn !== undefined || paths[0].includes(':task_id'),
  }
}
