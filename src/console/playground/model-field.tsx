import { models } from '../store/models.ts'
import type { Operation } from '../store/operations.ts'

/** The models for an operation with a model in its path: those of its family, first the one that is named like the operation. */
export function modelsFor({ id, family, path }: Operation): string[] {
  if (!path.includes('{model}')) return []
  const [, variant = ''] = id.split('.')
  const own = models.value.map(model => model.id).filter(name => name.startsWith(`model_${family}`))
  return own.sort((a, b) => Number(b.endsWith(`_${variant}`)) - Number(a.endsWith(`_${variant}`)))
}

interface Props {
  value: string
  offered: readonly string[]
  set: (value: string) => void
}

export function ModelField({ value, offered, set }: Props) {
  return (
    <div class="simple">
      <label class="field-name mono" for="path-model">
        model
      </label>
      <input
        id="path-model"
        class="field"
        list="path-models"
        value={value}
        onInput={event => set(event.currentTarget.value)}
      />
      <datalist id="path-models">
        {offered.map(name => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <p class="small quiet hint">Part of the path.</p>
    </div>
  )
}
