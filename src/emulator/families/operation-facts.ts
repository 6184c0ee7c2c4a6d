import type { Options } from '../options/table.ts'
import type { Endpoint } from '../pipeline/endpoint.ts'
import { downloadOperation } from '../scenarios/operations.ts'
import type { OperationFacts } from '../scenarios/shadows.ts'
import { families } from './index.ts'
import { modelNames, neutralModel } from './models.ts'

/** What requests of each operation can hold, by which rules that can never act are found. `added`: the names of models in a config. */
export function operationFacts(added: Options['models'] = {}): OperationFacts[] {
  const names = [...new Set([...modelNames(), ...Object.keys(added).filter(name => name !== '*')])]
  const calls = families.flatMap(({ id, endpoints }) =>
    endpoints.map(endpoint => factsOf(endpoint, id, { names, added })),
  )
  const download: OperationFacts = {
    operation: downloadOperation,
    families: families.map(({ id }) => id),
    models: names,
    hasMode: false,
    hasPrompt: false,
    hasBody: false,
    namesTask: true,
  }
  return [...calls, download]
}

function factsOf(
  { operation, paths, reads, body, tasksIn }: Endpoint,
  family: string,
  { names, added }: { names: readonly string[]; added: Options['models'] },
): OperationFacts {
  const models = reads?.models ?? []
  return {
    operation,
    families: [family],
    models: names.filter(name => models.includes(neutralModel(name, added) ?? '')),
    ...(models.includes(added['*'] ?? '') && { takesAnyModel: true }),
    hasMode: reads?.mode !== undefined,
    hasPrompt: (reads?.prompts.length ?? 0) > 0,
    hasBody: body !== undefined,
    namesTask: tasksIn !== undefined || paths[0].includes(':task_id'),
  }
}
