import { useEffect, useState } from 'preact/hooks'
import type { AssetView } from '../../client/types.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Empty } from '../parts/empty.tsx'
import { forgetFile } from '../parts/forget-file.ts'
import { bytes } from '../parts/format.ts'
import { Table } from '../parts/table.tsx'
import { useFetched } from '../parts/use-fetched.ts'
import { readOffers, samples } from '../playground/samples.ts'
import { control } from '../store/api.ts'
import { changes } from '../store/live.ts'
import { notify, report } from '../store/notices.ts'
import type { Listed } from '../store/shapes.ts'
import { doWithUndo } from '../store/undo.ts'

export function AssetsPanel() {
  const [done, setDone] = useState(0)
  const [isCertified, setCertified] = useState(false)
  const { value } = useFetched(() => control<Listed<AssetView>>('GET', '/assets'), [done, changes.value])
  useEffect(() => {
    if (samples.value.length === 0) void report(readOffers)
  }, [])
  const add = (what: { kind: string; url?: string; data?: string }) =>
    report(async () => {
      const asset = await control<AssetView>('POST', '/assets', { ...what, certified_person: isCertified })
      notify('done', `Added ${asset.reference}`)
      setDone(done + 1)
    })
  const remove = ({ id, reference }: AssetView) =>
    doWithUndo({ path: `/assets/${id}`, words: `${reference} was deleted` })
  return (
    <>
      <div class="body row">
        <select
          class="field choice"
          aria-label="Add a sample"
          value=""
          onChange={({ currentTarget }) => {
            const sample = samples.value.find(({ name }) => name === currentTarget.value)
            if (sample) void add({ kind: sample.kind, url: sample.url })
          }}
        >
          <option value="">Add a sample …</option>
          {samples.value.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        <label class="button">
          Add a file
          <input
            class="unseen"
            type="file"
            accept="image/*,video/*,audio/*"
            onClick={forgetFile}
            onChange={event => void addFile(event.currentTarget.files?.[0], add)}
          />
        </label>
        <label class="row">
          <input
            type="checkbox"
            checked={isCertified}
            onChange={event => setCertified(event.currentTarget.checked)}
          />
          shows a certified person
        </label>
      </div>
      {value?.items.length === 0 ? (
        <Empty title="No assets yet">
          <p>
            Add a file, then refer to it in a request by asset://…. Moderation accepts the face of a real
            person only in a certified asset.
          </p>
        </Empty>
      ) : (
        <Table
          label="Assets"
          rows={value?.items ?? []}
          keyOf={({ id }) => id}
          columns={[
            {
              name: 'Reference',
              cell: ({ reference }) => (
                <span class="row">
                  <code>{reference}</code>
                  <CopyButton text={reference} label="Copy the reference" />
                </span>
              ),
            },
            { name: 'Kind', cell: ({ kind, format }) => `${kind}, ${format}` },
            {
              name: 'Size',
              isNumber: true,
              cell: asset => bytes(asset.bytes),
            },
            { name: 'Account', cell: ({ account }) => account },
            { name: 'Certified', cell: ({ certified_person }) => (certified_person ? 'yes' : 'no') },
            {
              name: '',
              cell: asset => (
                <button type="button" class="button small danger" onClick={() => void remove(asset)}>
                  Delete
                </button>
              ),
            },
          ]}
        />
      )}
    </>
  )
}

async function addFile(
  file: File | undefined,
  add: (what: { kind: string; data: string }) => Promise<unknown>,
): Promise<void> {
  if (!file) return
  const data = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
  await add({ kind: file.type.split('/')[0] ?? 'image', data })
}
