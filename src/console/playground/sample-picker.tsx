import { Select } from '../parts/fields.tsx'
import { assets, promptTags, type Sample, samples } from './samples.ts'

interface Props {
  kind: Sample['kind'] | 'any'
  value: unknown
  pick: (url: string) => void
}

/** Small real files and the world's assets to use as an input, each with a picture of it. */
export function SamplePicker({ kind, value, pick }: Props) {
  const fits = (one: { kind: Sample['kind'] }) => kind === 'any' || one.kind === kind
  const own = assets.value.filter(fits).map(asset => ({
    name: asset.reference,
    label: `Use the asset ${asset.reference}`,
    about: asset.certified_person ? 'An asset that shows a certified person' : 'An asset of this world',
    kind: asset.kind,
    value: asset.reference,
    url: asset.url ?? '',
  }))
  const shipped = samples.value.filter(fits).map(sample => ({
    ...sample,
    label: `Use the sample ${sample.name}`,
    value: sample.url,
  }))
  if (own.length + shipped.length === 0) return null
  return (
    <div class="sample-picker" role="group" aria-label="Sample files and assets">
      {[...own, ...shipped].map(file => (
        <button
          key={file.value}
          type="button"
          class="sample"
          title={`${file.name}: ${file.about}`}
          aria-label={file.label}
          aria-pressed={value === file.value}
          onClick={() => pick(file.value)}
        >
          <Thumbnail name={file.name} kind={file.kind} url={file.url} />
        </button>
      ))}
    </div>
  )
}

function Thumbnail({ name, kind, url }: { name: string; kind: Sample['kind']; url: string }) {
  const isOwn = url.startsWith(`${location.origin}/`)
  const path = isOwn ? new URL(url).pathname : ''
  if (isOwn && kind === 'image' && /\.(jpe?g|png|webp|gif|bmp)$/.test(path))
    return <img src={path} alt="" loading="lazy" width="44" height="32" />
  if (isOwn && kind === 'video')
    return <video src={path} muted playsInline preload="metadata" width="44" height="32" tabIndex={-1} />
  return <span class="mono">{name.replace(/^asset:\/\//, '').slice(0, 18)}</span>
}

/** Tags that decide the outcome of one request; a choice adds one at the end of its prompt. */
export function PromptTags({ add }: { add: (tag: string) => void }) {
  if (promptTags.value.length === 0) return null
  return (
    <Select
      label="Add a prompt tag"
      look="choice add"
      value=""
      options={[
        ['', '+ outcome'],
        ...promptTags.value.map(({ tag, does }) => [tag, `${tag} ${does}`] as const),
      ]}
      choose={add}
    />
  )
}
