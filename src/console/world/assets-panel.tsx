import { useEffect, useState } from 'preact/hooks'
import type { AssetView, List } from '../../kits/views.ts'
import { Button } from '../parts/button.tsx'
import { CopiedCode } from '../parts/copy-button.tsx'
import { Empty } from '../parts/empty.tsx'
import { FileButton, Select } from '../parts/fields.tsx'
import { bytes } from '../parts/format.ts'
import { Table } from '../parts/table.tsx'
import { useWorld } from '../parts/use-fetched.ts'
import { readOffers, samples } from '../playground/samples.ts'
import { control } from '../store/api.ts'
import { notify, report } from '../store/notices.ts'
import { doWithUndo } from '../store/undo.ts'

export function AssetsPanel() {
  const [isCertified, setCertified] = useState(false)
  const { value } = useWorld<List<AssetView>>('/assets')
  useEffect(() => {
    if (samples.value.length === 0) void report(readOffers)
  }, [])
  const add = (what: { kind: string; url?: string; data?: string }) =>
    report(async () => {
      const asset = await control<AssetView>('POST', '/assets', { ...what, certified_person: isCertified })
      notify('done', `Added ${asset.reference}`)
    })
  const remove = ({ id, reference }: AssetView) =>
    doWithUndo({ path: `/assets/${id}`, words: `${reference} was deleted` })
  return (
    <>
      <div class="body row">
        <Select
          label="Add a sample"
          look="choice"
          value=""
          options={[['', 'Add a sample …'], ...samples.value.map(({ name }) => name)]}
          choose={chosen => {
            const sample = samples.value.find(({ name }) => name === chosen)
            if (sample) void add({ kind: sample.kind, url: sample.url })
          }}
        />
        <FileButton
          label="Add a file"
          accept="image/*,video/*,audio/*"
          open={async file =>
            file && (await add({ kind: file.type.split('/')[0] ?? 'image', data: await dataOf(file) }))
          }
        />
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
          isCards
          rows={value?.items ?? []}
          keyOf={({ id }) => id}
          columns={[
            {
              name: 'Reference',
              cell: ({ reference }) => <CopiedCode text={reference} label="Copy the reference" />,
            },
            { name: 'Kind', cell: ({ kind, format }) => `${kind}, ${format}` },
            { name: 'Size', isNumber: true, cell: asset => bytes(asset.bytes) },
            { name: 'Account', cell: ({ account }) => account },
            { name: 'Certified', cell: ({ certified_person }) => (certified_person ? 'yes' : 'no') },
            {
              name: '',
              cell: asset => (
                <Button look="small danger" act={() => remove(asset)}>
                  Delete
                </Button>
              ),
            },
          ]}
        />
      )}
    </>
  )
}

function dataOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
}
