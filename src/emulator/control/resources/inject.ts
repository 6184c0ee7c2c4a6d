// biome-ignore-all lint/suspicious/noThenProperty: a word of the scenario language, never awaited.
import type { InjectionView } from '../../../kits/views.ts'
import { inject, injectionsOf, withdraw } from '../../scenarios/inject.ts'
import type { Injection } from '../../worlds/head.ts'
import { done, endpoints, listed } from '../control-endpoint.ts'
import { notFound } from '../control-error.ts'

/** Rules that act once and need no scenario document. */
export const injectEndpoints = endpoints({
  'GET /inject': {
    summary: 'The one-time rules that have not acted yet, oldest first',
    handle: ({ world }) => listed(injectionsOf(world).map(injectionView)),
  },
  'POST /inject': {
    opens: true,
    example: {
      body: {
        operation: 'a.create',
        nth: 1,
        then: { refuse: { fault: 'rate_limited', retry_after: '5s' } },
      },
    },
    summary: 'Add a rule that acts once, on the nth call of an operation from now',
    // Listed here so that nulls count as not sent. Their values are checked like scenarios, with path and hint.
    body: { type: 'object', properties: { operation: {}, nth: {}, then: {} } },
    handle: ({ world, body }) => done(injectionView(inject(world, body)), 201),
  },
  'DELETE /inject/:id': {
    summary: 'Remove a rule before it acts',
    handle({ world, params: { id = '' } }) {
      if (!withdraw(world, id)) throw notFound(`The rule ${id}, or it has acted,`)
      return done()
    },
  },
})

/** A one-time rule that has not acted; `calls_left` includes the call it acts on. */
function injectionView({ id, operation, nth, left, then }: Injection): InjectionView {
  return { id, operation, nth, calls_left: left, then }
}
