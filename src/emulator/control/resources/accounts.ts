import type { AccountChange, AccountView } from '../../../kits/views.ts'
import { modelNames, neutralModel } from '../../families/models.ts'
import { maskKey } from '../../http/masked.ts'
import { balanceOf, spentBy } from '../../tasks/admission.ts'
import { roundCredits } from '../../tasks/ledger.ts'
import { didYouMean } from '../../wording/did-you-mean.ts'
import { mostKeys, specialRefusals } from '../../worlds/account.ts'
import { isName, keyOf, nameRule } from '../../worlds/names.ts'
import { type Account, nowIn, put, type World } from '../../worlds/world.ts'
import { type ControlCall, closed, done, endpoints, listed } from '../control-endpoint.ts'
import { badRequest } from '../control-error.ts'

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
