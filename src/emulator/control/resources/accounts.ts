import type { AccountChange, AccountView, LedgerLine, LedgerTotals } from '../../../kits/views.ts'
import { modelNames, neutralModel } from '../../families/models.ts'
import { maskKey } from '../../http/secrets.ts'
import { balanceOf, spentBy } from '../../tasks/admission.ts'
import { entriesAt, type LedgerEntry, movement, roundCredits } from '../../tasks/ledger.ts'
import { didYouMean } from '../../wording/shown.ts'
import { mostKeys, specialRefusals } from '../../worlds/account.ts'
import { iso } from '../../worlds/clock.ts'
import { isName, keyOf, nameRule } from '../../worlds/record-values.ts'
import { type Account, nowIn, put, type World } from '../../worlds/world.ts'
import { type ControlCall, closed, done, endpoints, listed } from '../control-endpoint.ts'
import { badRequest, unknownCursor } from '../control-error.ts'
import { operationOfKind } from '../tasks/make-task.ts'

interface LedgerQuery {
  account?: string
  limit?: number
  cursor?: string
}

/** The console log of charges (Spec, "What the service does" 7). */
export const ledgerEndpoints = endpoints({
  'GET /ledger': {
    summary: 'Charges: reserved, settled, refunded',
    query: {
      account: { type: 'string' },
      limit: {
        type: 'integer',
        minimum: 1,
        description: 'How many lines, the newest ones; all without it. The totals are of all lines.',
      },
      cursor: {
        type: 'string',
        description: 'next_cursor of the page before: the lines before its first one.',
      },
    },
    handle({ world, query }) {
      const asked = query as LedgerQuery
      const charges = chargesOf(world, asked.account)
      const { page, next } = pageOf(charges, asked)
      return listed(page.map(lineOf), {
        totals: totalsOf(charges),
        ...(next !== undefined && { next_cursor: next }),
      })
    },
  },
})

/** An entry of the ledger, and the balance of its account after it. */
interface Booked extends LedgerEntry {
  balance: number
}

/** Oldest first. `balance` starts at the account's; an account without a limit starts at 0 and becomes negative. */
function chargesOf(world: World, account: string | undefined): Booked[] {
  const now = nowIn(world)
  const entries: LedgerEntry[] = []
  for (const task of world.state.tasks.values()) {
    if (account === undefined || task.account === account) entries.push(...entriesAt(task, now))
  }
  entries.sort((a, b) => a.at - b.at)
  const balances = new Map<string, number>()
  return entries.map(entry => {
    const owner = entry.task.account
    const before = balances.get(owner) ?? world.state.accounts.get(owner)?.balance ?? 0
    const balance = roundCredits(before + movement(entry))
    balances.set(owner, balance)
    return { ...entry, balance }
  })
}

/** The newest lines, or those before the line of the cursor. `next` is the cursor of the lines before them. Throws 400 for an unknown cursor. */
function pageOf(
  charges: readonly Booked[],
  { limit = charges.length, cursor }: LedgerQuery,
): { page: Booked[]; next: string | undefined } {
  const end = cursor === undefined ? charges.length : charges.findIndex(charge => cursorOf(charge) === cursor)
  if (end < 0) throw unknownCursor(cursor)
  const start = Math.max(0, end - limit)
  const page = charges.slice(start, end)
  const [oldest] = page
  return { page, next: start > 0 && oldest ? cursorOf(oldest) : undefined }
}

/** A task has one line of each kind. */
function cursorOf({ kind, task }: LedgerEntry): string {
  return `${kind}:${task.id}`
}

function lineOf({ at, task, kind, amount, released, balance }: Booked): LedgerLine {
  return {
    at: iso(at),
    account: task.account,
    task_id: task.id,
    operation: operationOfKind(task.family, task.kind),
    model: task.model,
    kind,
    amount,
    ...(released !== undefined && { released }),
    balance,
  }
}

function totalsOf(charges: readonly LedgerEntry[]): LedgerTotals {
  const sum = (kind: LedgerEntry['kind']) =>
    roundCredits(
      charges.filter(charge => charge.kind === kind).reduce((total, { amount }) => total + amount, 0),
    )
  const released = roundCredits(charges.reduce((total, charge) => total + (charge.released ?? 0), 0))
  const [reserved, settled, refunded] = [sum('reserved'), sum('settled'), sum('refunded')]
  return {
    reserved,
    settled,
    refunded,
    released,
    held: roundCredits(reserved - settled - released - refunded),
  }
}

/** The accounts of a world, and their limits. */
export const accountEndpoints = endpoints({
  'GET /accounts': {
    summary: 'Accounts used so far',
    handle: ({ world }) =>
      listed([...world.state.accounts.values()].map(account => accountView(world, account))),
  },
  'PATCH /accounts/:id': {
    opens: true,
    example: { params: { id: 'default' }, body: { balance: 100, requests_per_minute: 60 } },
    summary: 'Change what an account may do; null lifts a limit',
    body: closed({
      models: { type: ['array', 'null'], items: { type: 'string' } },
      resolutions: { type: ['array', 'null'], items: { type: 'string' } },
      requests_per_minute: {
        type: ['integer', 'null'],
        minimum: 1,
        maximum: 100_000,
        description:
          'Tasks admitted per minute of virtual time: a task beyond them stays queued until its slot, and a create whose slot is more than 60 s ahead is 429. Other calls are never limited.',
      },
      balance: { type: ['number', 'null'] },
      disabled: { type: 'boolean' },
      keys: {
        type: 'object',
        description:
          'Keys of the account by their label, the text after the colon of `sk-test-mine:worker`; the key without one is "".',
        additionalProperties: closed({ disabled: { type: 'boolean' } }),
      },
      special: {
        enum: ['allowed', ...specialRefusals],
        description:
          'Whether it may use the special variant of family C: allowed, forbidden (each call is 403) or not_found (404).',
      },
    }),
    handle(call) {
      const { world, services, params, body } = call
      const { id = '' } = params
      if (!isName(id)) throw badRequest(`"${id}" is not an account's name: ${nameRule}`)
      if (id.startsWith('sk-'))
        throw badRequest(`"${maskKey(id)}" is a key, not an account's name`, {
          hint: 'GET /accounts lists the names',
        })
      checkLabels(body as AccountChange)
      const account = changed(world, services.worlds.account(world, id), neutral(call, body as AccountChange))
      put(world, 'accounts', id, account)
      return done(accountView(world, account))
    },
  },
})

function checkLabels({ keys = {} }: AccountChange): void {
  const wrong = Object.keys(keys).find(label => label !== '' && !isName(label))
  if (wrong === undefined) return
  const path = `keys[${JSON.stringify(wrong)}]`
  if (wrong.startsWith('sk-'))
    throw badRequest(`"${maskKey(wrong)}" is a key, not its label`, {
      hint: 'the label is the text after its colon',
    })
  throw badRequest(
    `${JSON.stringify(wrong)} is not a key's label: ${nameRule}, or "" for the key without one`,
    { path },
  )
}

/** The keys of an account after a change. Throws 400 when there would be too many. */
function changedKeys(
  { keys = [] }: Account,
  change: NonNullable<AccountChange['keys']>,
): Pick<Account, 'keys'> {
  const states = new Map(keys.map(({ label, isDisabled }) => [label, isDisabled]))
  for (const [label, { disabled }] of Object.entries(change))
    states.set(label, disabled ?? states.get(label) ?? false)
  // Enabled keys only say that they were seen: the oldest make room.
  for (const [label, isDisabled] of states) {
    if (states.size <= mostKeys) break
    if (!isDisabled && !Object.hasOwn(change, label)) states.delete(label)
  }
  if (states.size > mostKeys)
    throw badRequest(
      `an account has at most ${mostKeys} keys that are named here or disabled, and these would make ${states.size}`,
      {
        path: 'keys',
      },
    )
  return { keys: [...states].map(([label, isDisabled]) => ({ label, isDisabled })) }
}

/** The neutral ids of models, which accounts store. Throws 400 for a name that no model has. */
function neutral({ services }: ControlCall, change: AccountChange): AccountChange {
  if (!change.models) return change
  const models = change.models.map((name, index) => {
    const model = neutralModel(name, services.options.models)
    if (model !== undefined) return model
    const known = modelNames()
    throw badRequest(`${JSON.stringify(name)} is not a model`, {
      path: `models[${index}]`,
      hint: didYouMean(name, known) ?? 'see GET /__emulator/models',
    })
  })
  return { ...change, models }
}

function changed(
  world: World,
  account: Account,
  { models, resolutions, requests_per_minute, balance, disabled, special, keys }: AccountChange,
): Account {
  const { special: present, ...others } = account
  const refusal = special === undefined ? present : special === 'allowed' ? undefined : special
  return {
    ...others,
    ...(refusal !== undefined && { special: refusal }),
    ...(models !== undefined && { models }),
    ...(resolutions !== undefined && { resolutions }),
    ...(requests_per_minute !== undefined && {
      requestsPerMinute: requests_per_minute,
      slots: [],
      freedSlots: [],
    }),
    // The account stores the balance before all charges; the request gives the balance that remains after them.
    ...(balance !== undefined && {
      balance: balance === null ? null : roundCredits(balance + spentBy(world, account, nowIn(world))),
    }),
    ...(keys !== undefined && changedKeys(account, keys)),
    ...(disabled !== undefined && { status: disabled ? ('disabled' as const) : ('active' as const) }),
  }
}

/** An account in a reply of the control API. */
function accountView(world: World, account: Account): AccountView {
  return {
    id: account.id,
    api_key: keyOf(world.id, account.id),
    keys: (account.keys ?? []).map(({ label, isDisabled }) => ({
      label,
      api_key: keyOf(world.id, account.id, label),
      disabled: isDisabled,
    })),
    template: account.template,
    status: account.status,
    models: account.models,
    resolutions: account.resolutions,
    requests_per_minute: account.requestsPerMinute,
    special: account.special ?? 'allowed',
    balance: balanceOf(world, account, nowIn(world)) ?? null,
  }
}
