import { type FailureRow, failuresIn } from './failure.ts'
import { emulated, network } from './sources.ts'

/** Failures of the connection, for every operation. */
// biome-ignore format: a table, one row a line
export const connections: readonly FailureRow[] = failuresIn([
  ['request_lost', 'connection', 'passes', 'the connection breaks before the request is handled', emulated, { connection: { reset: 'before_request' } }],
  ['reply_lost', 'connection', 'passes', 'the request is handled, and the connection breaks before the reply', network, { connection: { reset: 'before_headers' } }],
  ['reply_cut', 'connection', 'passes', 'the connection breaks in the middle of the reply', emulated, { connection: { reset: 'mid_body' } }],
  ['no_answer', 'connection', 'passes', 'the connection stays open without a reply', network, { connection: 'hang' }],
  ['slow_answer', 'timing', 'passes', 'the reply takes three seconds', network, { connection: { latency: '3s' } }],
  ['garbled_answer', 'connection', 'passes', 'the reply cannot be parsed', emulated, { connection: 'garble' }],
  ['proxy_page', 'connection', 'passes', 'a proxy before the service answers 502 with a page of HTML', emulated, { refuse: { proxy_page: 502 } }],
])
