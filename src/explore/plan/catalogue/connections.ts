import type { FailureRow } from './failure.ts'
import { emulated, network } from './sources.ts'

/** Failures of the connection, for every operation. */
export const connections: readonly FailureRow[] = [
  {
    id: 'request_lost',
    title: 'the connection breaks before the request is handled',
    kind: 'connection',
    transient: true,
    source: emulated,
    effect: { connection: { reset: 'before_request' } },
  },
  {
    id: 'reply_lost',
    title: 'the request is handled, and the connection breaks before the reply',
    kind: 'connection',
    transient: true,
    source: network,
    effect: { connection: { reset: 'before_headers' } },
  },
  {
    id: 'reply_cut',
    title: 'the connection breaks in the middle of the reply',
    kind: 'connection',
    transient: true,
    source: emulated,
    effect: { connection: { reset: 'mid_body' } },
  },
  {
    id: 'no_answer',
    title: 'the connection stays open without a reply',
    kind: 'connection',
    transient: true,
    source: network,
    effect: { connection: 'hang' },
  },
  {
    id: 'slow_answer',
    title: 'the reply takes three seconds',
    kind: 'timing',
    transient: true,
    source: network,
    effect: { connection: { latency: '3s' } },
  },
  {
    id: 'garbled_answer',
    title: 'the reply cannot be parsed',
    kind: 'connection',
    transient: true,
    source: emulated,
    effect: { connection: 'garble' },
  },
  {
    id: 'proxy_page',
    title: 'a proxy before the service answers 502 with a page of HTML',
    kind: 'connection',
    transient: true,
    source: emulated,
    effect: { refuse: { proxy_page: 502 } },
  },
]
