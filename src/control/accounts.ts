import { keyOf } from '../http/account.ts'
import { balanceOf } from '../tasks/admission.ts'
import { type Account, nowIn, put, type World } from '../worlds/world.ts'
import { type ControlEndpoint, done, listed } from './control-endpoint.ts'
import { badRequest } from './control-error.ts'

interface Change {
  models?: string[] | null
  resolutions?: string[] | null
  requests_per_minute?: number | null
  balance?: number | null
  disabled?: boolean
}

/** The accounts of a world, and what they may do. */
export const accountEndpoints: readonly ControlEndpoint[] = [
  {
    method: 'GET',
    paths: ['/accounts'],
    summary: 'Accounts used so far',
    handle: ({ world }) =>
      listed([...world.state.accounts.values()].map(account => accountView(world, account))),
  },
  {
    method: 'PATCH',
    paths: ['/accounts/:id'],
    summary: 'Change what an account may do; null lifts a limit',
    body: {
      type: 'object',
      additionalProperties: false,
      properties: {
        models: { type: ['array', 'null'], items: { type: 'string' } },
        resolutions: { type: ['array', 'null'], items: { type: 'string' } },
        requests_per_minute: { type: ['integer', 'null'], minimum: 1, maximum: 100_000 },
        balance: { type: ['number', 'null'] },
        disabled: { type: 'boolean' },
      },
    },
    handle({ world, services, params, body }) {
      const { id = '' } = params
      if (!/^[A-Za-z0-9_-]{1,64}$/.test(id))
        throw badRequest(`"${id}" is not an account's name: 1 to 64 letters, digits, _ or -`)
      const account = changed(services.worlds.account(world, id), body as Change)
      put(world, 'accounts', id, account)
      return done(accountView(world, account))
    },
  },
]

function changed(
  account: Account,
  { models, resolutions, requests_per_minute, balance, disabled }: Change,
): Account {
  return {
    ...account,
    ...(models !== undefined && { models }),
    ...(resolutions !== undefined && { resolutions }),
    ...(requests_per_minute !== undefined && { requestsPerMinute: requests_per_minute, slots: [] }),
    ...(balance !== undefined && { balance }),
    ...(disabled !== undefined && { status: disabled ? ('disabled' as const) : ('active' as const) }),
  }
}

/** An account as the control API tells it. */
export function accountView(world: World, account: Account) {
  return {
    id: account.id,
    api_key: keyOf(world.id, account.id),
    template: account.template,
    status: account.status,
    models: account.models,
    resolutions: account.resolutions,
    requests_per_minute: account.requestsPerMinute,
    balance: balanceOf(world, account, nowIn(world)) ?? null,
  }
}
