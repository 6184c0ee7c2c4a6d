import { useState } from 'preact/hooks'
import type { TaskView } from '../../kits/views.ts'
import { Button } from '../parts/button.tsx'
import { Picture } from '../parts/picture.tsx'
import { bytesOfMedia } from '../store/tasks.ts'

/** One picture of a decomposition: the base first, then its layers from back to front. */
interface Part {
  output: string
  name: string
  description?: string
  size: readonly [number, number]
  /** Left, top, right, bottom in pixels of the base; the base has none. */
  box?: readonly [number, number, number, number]
}

interface RawPart {
  size: [number, number]
  name?: string
  description?: string
  box?: { absolute: [number, number, number, number] }
}

/** The parts of a decomposed picture; undefined for any other task. */
export function partsOf({ job, media }: TaskView): Part[] | undefined {
  const { parts } = job as { parts?: RawPart[] }
  if (!Array.isArray(parts)) return undefined
  return parts.map(({ size, name, description, box }, i) => ({
    output: media[i]?.name ?? '',
    name: name ?? (i === 0 ? 'base' : `layer ${i}`),
    size,
    ...(description !== undefined && { description }),
    ...(box && { box: box.absolute }),
  }))
}

/** The layers, each alone or all composed. */
export function Layers({ task, parts }: { task: TaskView; parts: readonly Part[] }) {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const [base] = parts
  if (!base) return null
  const all = parts.map(({ output }) => output)
  const toggle = (output: string) => {
    const next = new Set(hidden)
    if (!next.delete(output)) next.add(output)
    setHidden(next)
  }
  const showOnly = (output: string) => setHidden(new Set(all.filter(other => other !== output)))
  return (
    <div class="layers">
      <div
        class="stage chequered"
        style={{
          aspectRatio: `${base.size[0]} / ${base.size[1]}`,
          maxWidth: `${(46 * base.size[0]) / base.size[1]}vh`,
        }}
      >
        {parts.map(part => (
          <Picture
            key={part.output}
            src={bytesOfMedia(task.id, part.output)}
            alt={part.name}
            hidden={hidden.has(part.output)}
            style={layerPlaceOf(part, base.size)}
          />
        ))}
      </div>
      <fieldset class="layer-list">
        <legend class="row spread">
          <strong>{parts.length - 1} layers over a base</strong>
          <span class="row">
            <Button look="small" act={() => setHidden(new Set())}>
              Composed
            </Button>
            <Button look="small" act={() => showOnly(base.output)}>
              Base only
            </Button>
          </span>
        </legend>
        {parts.map(({ output, name, description }) => (
          <div key={output} class="layer">
            <label title={description}>
              <input type="checkbox" checked={!hidden.has(output)} onChange={() => toggle(output)} />
              <span class="cut">{name}</span>
            </label>
            <Button look="plain small" aria-label={`Show only ${name}`} act={() => showOnly(output)}>
              only
            </Button>
          </div>
        ))}
      </fieldset>
    </div>
  )
}

function layerPlaceOf({ box }: Part, [width, height]: readonly [number, number]) {
  const [left, top, right, bottom] = box ?? [0, 0, width, height]
  const share = (value: number, of: number) => `${(value / of) * 100}%`
  return {
    left: share(left, width),
    top: share(top, height),
    width: share(right - left, width),
    height: share(bottom - top, height),
  }
}
