import { computed, signal } from '@preact/signals'
import type { List } from '../../kits/views.ts'
import { about } from './api.ts'
import { creates, modelsOf } from './operations.ts'

interface Model {
  /** The neutral name, such as `model_a_25`. */
  id: string
  /** All names that the emulator takes, the neutral one first. */
  names: string[]
}

/** The models of the emulator; empty until they are read. */
const models = signal<readonly Model[]>([])

/** The name that its maker publishes a model under, without a date, by every name of it. */
const published = computed(() => {
  const found = new Map<string, string>()
  for (const { id, names } of models.value) {
    const own = names.filter(name => name !== id && !name.startsWith('model_'))
    const plain = own.find(name => !/-\d{6}$/.test(name)) ?? own[0]
    if (plain !== undefined) for (const name of [id, ...names]) found.set(name, plain)
  }
  return found
})

export async function readModels(): Promise<void> {
  models.value = (await about<List<Model>>('GET', '/models')).items
}

/** `doubao-seedance-2-5` for `model_a_25`; undefined while models are read, and for unknown ones. */
export function publishedName(model: string): string | undefined {
  return published.value.get(model)
}

/** The published names of the models of a family, such as `a`. */
export function publishedOf(family: string): string[] {
  const taken = creates().flatMap(operation => (operation.group === family ? modelsOf(operation) : []))
  return [...new Set(taken.flatMap(name => published.value.get(name) ?? []))]
}
