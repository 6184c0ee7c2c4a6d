import { useRef, useState } from 'preact/hooks'
import type { AccountView, Ledger, List } from '../../kits/views.ts'
import { Button } from '../parts/button.tsx'
import { CopiedCode } from '../parts/copy-button.tsx'
import { Empty } from '../parts/empty.tsx'
import { Switch } from '../parts/fields.tsx'
import { alignedCredits, credits, preciseTime, shortId } from '../parts/format.ts'
import { Table } from '../parts/table.tsx'
import { useWorld } from '../parts/use-fetched.ts'
import { to } from '../store/address.ts'
import { control } from '../store/api.ts'
import { attempt, notify } from '../store/notices.ts'

export function AccountsPanel() {
  const { value } = useWorld<List<AccountView>>('/accounts')
  const change = (id: string, what: object) =>
    attempt(async () => {
      await control('PATCH', `/accounts/${id}`, what)
      notify('done', `The account ${id} is changed`)
    })
  if (value?.items.length === 0)
    return (
      <Empty title="No account was used yet">
        <p>
          An account opens with its first request. The key sk-emulator belongs to the account default, and
          sk-emulator.limited to an account with fewer rights.
        </p>
      </Empty>
    )
  return (
    <Table
      label="Accounts"
      isCards
      rows={value?.items ?? []}
      keyOf={({ id }) => id}
      columns={[
        { name: 'Account', cell: ({ id }) => <strong>{id}</strong> },
        {
          name: 'Key',
          cell: ({ id, api_key, keys }) => (
            <>
              <CopiedCode text={api_key} label="Copy the key" />
              {keys.map(key => (
                <div key={key.label}>
                  {key.label !== '' && <CopiedCode text={key.api_key} label={`Copy the key ${key.label}`} />}
                  <Switch
                    label={`The key ${key.label || 'without a label'} of ${id} is enabled`}
                    isOn={!key.disabled}
                    turn={isOn => change(id, { keys: { [key.label]: { disabled: !isOn } } })}
                  />
                </div>
              ))}
            </>
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
              save={requests_per_minute => change(row.id, { requests_per_minute })}
            />
          ),
        },
        {
          name: 'Balance',
          cell: row => (
            <NumberCell
              label={`Balance of ${row.id}`}
              value={row.balance}
              save={balance => change(row.id, { balance })}
            />
          ),
        },
        {
          name: 'Enabled',
          cell: ({ id, status }) => (
            <Switch
              label={`${id} is enabled`}
              isOn={status === 'active'}
              turn={isOn => change(id, { disabled: !isOn })}
            />
          ),
        },
      ]}
    />
  )
}

/** A limit; an empty field means no limit. */
function NumberCell({
  label,
  value,
  save,
}: {
  label: string
  value: number | null
  /** False when the value was refused. */
  save: (value: number | null) => Promise<boolean>
}) {
  const shown = value === null ? '' : credits(value)
  /** What was typed and is not stored yet. Accounts are read again at each change of the world, which must not take it away. */
  const [typed, setTyped] = useState<string>()
  const isSaving = useRef(false)
  const change = async (text: string) => {
    const isNumber = !Number.isNaN(Number(text))
    // NaN would become null in JSON, and null means no limit.
    if (!isNumber) notify('fault', `${label}: “${text}” is not a number`)
    isSaving.current = true
    if (isNumber) await save(text === '' ? null : Number(text))
    isSaving.current = false
    setTyped(undefined)
  }
  return (
    <input
      class="field short"
      aria-label={label}
      placeholder="no limit"
      inputMode="decimal"
      value={typed ?? shown}
      onInput={event => setTyped(event.currentTarget.value)}
      onChange={event => void change(event.currentTarget.value.trim())}
      onBlur={() => isSaving.current || setTyped(undefined)}
    />
  )
}

/** The number of lines that are read first, and of those that are added when older ones are requested. */
const step = 300
const tones = { reserved: 'queued', settled: 'succeeded', refunded: 'expired' } as const

export function LedgerPanel() {
  const [limit, setLimit] = useState(step)
  const { value } = useWorld<Ledger>(`/ledger?limit=${limit}`)
  const accounts = useWorld<List<AccountView>>('/accounts')
  if (!value) return null
  const unlimited = new Set(accounts.value?.items.flatMap(({ id, balance }) => (balance === null ? id : [])))
  if (value.items.length === 0)
    return (
      <Empty title="Nothing was charged yet">
        <p>A create reserves its price. Success settles it; any other outcome refunds it.</p>
      </Empty>
    )
  const rows = [...value.items].reverse()
  const amounts = rows.flatMap(({ amount, released = 0 }) => [amount, released])
  const totals = Object.values(value.totals)
  const balances = rows.map(({ balance }) => balance)
  return (
    <>
      <dl class="body totals">
        {Object.entries(value.totals).map(([name, amount]) => (
          <div key={name}>
            <dt class="small quiet">{name}</dt>
            <dd class="big">{alignedCredits(amount, totals)}</dd>
          </div>
        ))}
      </dl>
      <Table
        label="Charges, newest first"
        rows={rows}
        keyOf={({ task_id, kind }) => `${task_id} ${kind}`}
        columns={[
          { name: 'Time', cell: ({ at }) => <span class="mono">{preciseTime(Date.parse(at))}</span> },
          { name: 'What', cell: ({ kind }) => <span class={`pill tone-${tones[kind]}`}>{kind}</span> },
          {
            name: 'Task',
            cell: ({ task_id }) => (
              <a class="mono" href={to('tasks', task_id)}>
                {shortId(task_id)}
              </a>
            ),
          },
          { name: 'Model', cell: ({ model }) => model },
          { name: 'Account', cell: ({ account }) => account },
          { name: 'Credits', isNumber: true, cell: ({ amount }) => alignedCredits(amount, amounts) },
          {
            name: 'Given back',
            isNumber: true,
            cell: ({ released }) => (released === undefined ? '–' : alignedCredits(released, amounts)),
          },
          {
            name: 'Balance',
            isNumber: true,
            cell: ({ account, balance }) =>
              unlimited.has(account) ? (
                <span class="quiet">no limit</span>
              ) : (
                alignedCredits(balance, balances)
              ),
          },
        ]}
      />
      {value.next_cursor !== undefined && (
        <p class="body">
          <Button act={() => setLimit(limit + step)}>Show {step} older lines</Button>
        </p>
      )}
    </>
  )
}
