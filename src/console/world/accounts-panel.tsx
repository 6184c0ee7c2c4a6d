import { useState } from 'preact/hooks'
import { CopyButton } from '../parts/copy-button.tsx'
import { Empty } from '../parts/empty.tsx'
import { credits } from '../parts/format.ts'
import { Table } from '../parts/table.tsx'
import { useFetched } from '../parts/use-fetched.ts'
import { control } from '../store/api.ts'
import { changes } from '../store/live.ts'
import { notify, report } from '../store/notices.ts'
import type { AccountView, Listed } from '../store/shapes.ts'

export function AccountsPanel() {
  const [done, setDone] = useState(0)
  const { value } = useFetched(() => control<Listed<AccountView>>('GET', '/accounts'), [changes.value, done])
  const change = (id: string, what: object) =>
    report(async () => {
      await control('PATCH', `/accounts/${id}`, what)
      notify('done', `The account ${id} is changed`)
      setDone(done + 1)
    })
  if (value?.items.length === 0)
    return (
      <Empty title="No account was used yet">
        <p>
          An account opens with its first request: sk-emulator is the account default, sk-emulator.limited one
          with fewer rights.
        </p>
      </Empty>
    )
  return (
    <Table
      label="Accounts"
      rows={value?.items ?? []}
      keyOf={({ id }) => id}
      columns={[
        { name: 'Account', cell: ({ id }) => <strong>{id}</strong> },
        {
          name: 'Key',
          cell: ({ api_key }) => (
            <span class="row">
              <code>{api_key}</code>
              <CopyButton text={api_key} label="Copy the key" />
            </span>
          ),
        },
        { name: 'Models', cell: ({ models }) => models?.join(', ') ?? 'all' },
        { name: 'Resolutions', cell: ({ resolutions }) => resolutions?.join(', ') ?? 'all' },
        {
          name: 'Requests a minute',
          cell: row => (
            <NumberCell
              label={`Requests a minute of ${row.id}`}
              value={row.requests_per_minute}
              save={requests_per_minute => void change(row.id, { requests_per_minute })}
            />
          ),
        },
        {
          name: 'Balance',
          cell: row => (
            <NumberCell
              label={`Balance of ${row.id}`}
              value={row.balance}
              save={balance => void change(row.id, { balance })}
            />
          ),
        },
        {
          name: 'Enabled',
          cell: ({ id, status }) => (
            <input
              type="checkbox"
              role="switch"
              class="switch"
              aria-label={`${id} is enabled`}
              checked={status === 'active'}
              onChange={event => void change(id, { disabled: !event.currentTarget.checked })}
            />
          ),
        },
      ]}
    />
  )
}

/** A limit; nothing typed = none. */
function NumberCell({
  label,
  value,
  save,
}: {
  label: string
  value: number | null
  save: (value: number | null) => void
}) {
  const shown = value === null ? '' : credits(value)
  const change = (input: HTMLInputElement) => {
    const typed = input.value.trim()
    if (!Number.isNaN(Number(typed))) return save(typed === '' ? null : Number(typed))
    // Sent as it is, it would become null and lift the limit.
    notify('fault', `${label}: “${typed}” is not a number`)
    input.value = shown
  }
  return (
    <input
      class="field short"
      aria-label={label}
      placeholder="no limit"
      inputMode="decimal"
      value={shown}
      onChange={event => change(event.currentTarget)}
    />
  )
}
