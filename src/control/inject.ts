// biome-ignore-all lint/suspicious/noThenProperty: the word of the scenario language, never awaited.
import { inject, injectionsOf, withdraw } from '../scenarios/inject.ts'
import type { Injection } from '../worlds/head.ts'
import { type ControlEndpoint, done, listed } from './control-endpoint.ts'
import { notFound } from './control-error.ts'

/** Rules that act once, without a scenario document. */
export const injectEndpoints: readonly ControlEndpoint[] = [
  {
    method: 'GET',
    paths: ['/inject'],
    summary: 'The rules that wait to act once, oldest first',
    handle: ({ world }) => listed(injectionsOf(world).map(injectionView)),
  },
  {
    method: 'POST',
    paths: ['/inject'],
    summary: 'Let something happen once, to the nth call of an operation from now',
    // Named here, so that nulls count as not sent; what they may be is checked as scenarios are, with path and hint.
    body: { type: 'object', properties: { operation: {}, nth: {}, then: {} } },
    handle: ({ world, body }) => done(injectionView(inject(world, body)), 201),
  },
  {
    method: 'DELETE',
    paths: ['/inject/:id'],
    summary: 'Take back a rule before it acts',
    handle({ world, params: { id = '' } }) {
      if (!withdraw(world, id)) throw notFound(`The rule ${id}, or it has acted,`)
      return done()
    },
  },
]

/** A rule that waits; `calls_left` counts the call it acts on. */
export function injectionView({ id, operation, nth, left, then }: Injection) {
  return { id, operation, nth, calls_left: left, then }
}
