import { type Sample, samples } from './samples.ts'

/** Small real files to use as an input. */
export function SamplePicker({ kind, pick }: { kind: Sample['kind'] | 'any'; pick: (url: string) => void }) {
  const fitting = samples.value.filter(sample => kind === 'any' || sample.kind === kind)
  if (fitting.length === 0) return null
  return (
    <div class="sample-picker" role="group" aria-label="Sample files">
      {fitting.map(({ name, about, url, kind: own }) => (
        <button
          key={name}
          type="button"
          class="sample"
          title={about}
          aria-label={`Use the sample ${name}`}
          onClick={() => pick(url)}
        >
          {own === 'image' && /\.(jpg|png|webp|gif)$/.test(name) ? (
            <img src={new URL(url).pathname} alt="" loading="lazy" width="44" height="32" />
          ) : (
            <span class="mono">{name}</span>
          )}
        </button>
      ))}
    </div>
  )
}
