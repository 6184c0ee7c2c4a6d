import type { AccountChange, AccountView } from '../../client/types.ts'
import { modelNames, neutralModel } from '../../families/models.ts'
import { maskKey } from '../../http/masked.ts'
import { balanceOf, spentBy } from '../../tasks/admission.ts'
import { roundCredits } from '../../tasks/ledger.ts'
import { didYouMean } from '../../wording/did-you-mean.ts'
import { specialRefusals } from '../../worlds/account.ts'
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
      const account = changed(world, services.worlds.account(world, id), neutral(call, body as AccountChange))
      put(world, 'accounts', id, account)
      return done(accountView(world, account))
    },
  },
})

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
  { models, resolutions, requests_per_minute, balance, disabled, special }: AccountChange,
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
    ...(disabled !== undefined && { status: disabled ? ('disabled' as const) : ('active' as const) }),
  }
}

/** An account in a reply of the control API. */
function accountView(world: World, account: Account): AccountView {
  return {
    id: account.id,
    api_key: keyOf(world.id, account.id),
    template: account.template,
    status: account.status,
    models: account.models,
    resolutions: account.resolutions,
    requests_per_minute: account.requestsPerMinute,
    special: account.special ?? 'allowed',
    balance: balanceOf(world, account, nowIn(world)) ?? null,
  }
}
