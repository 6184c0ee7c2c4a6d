import type { FailureRow } from './failure.ts'
import { emulated, network } from './sources.ts'

/** Failures of the connection, for every operation. */
export const connections: readonly FailureRow[] = [
  {
    id: 'request_lost',
    title: 'the connection breaks before anything was done',
    kind: 'connection',
    transient: true,
    source: emulated,
    effect: { connection: { reset: 'before_request' } },
  },
  {
    id: 'reply_lost',
    title: 'it was done, and the connection breaks before the answer',
    kind: 'connection',
    transient: true,
    source: network,
    effect: { connection: { reset: 'before_headers' } },
  },
  {
    id: 'reply_cut',
    title: 'the connection breaks in the middle of the answer',
    kind: 'connection',
    transient: true,
    source: emulated,
    effect: { connection: { reset: 'mid_body' } },
  },
  {
    id: 'no_answer',
    title: 'the connection stays open and silent',
    kind: 'connection',
    transient: true,
    source: network,
    effect: { connection: 'hang' },
  },
  {
    id: 'slow_answer',
    title: 'the answer takes three seconds',
    kind: 'timing',
    transient: true,
    source: network,
    effect: { connection: { latency: '3s' } },
  },
  {
    id: 'garbled_answer',
    title: 'the answer is not readable',
    kind: 'connection',
    transient: true,
    source: emulated,
    effect: { connection: 'garble' },
  },
  {
    id: 'proxy_page',
    title: 'something in between answers 502 with a page of HTML',
    kind: 'connection',
    transient: true,
    source: emulated,
    effect: { refuse: { proxy_page: 502 } },
  },
]
