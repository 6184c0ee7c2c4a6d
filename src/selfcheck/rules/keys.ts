import type { Gateway } from '../gateway.ts'
import { refused } from '../refusals.ts'
import type { Rule } from '../rule.ts'

/** One endpoint of each family that is free of charge. */
const asked: Readonly<Record<Rule['family'], [method: string, path: (gateway: Gateway) => string]>> = {
  a: ['GET', () => '/api/v3/contents/generations/tasks/none'],
  b: ['GET', () => '/api/v1/tasks/none'],
  c: ['GET', () => '/v2/query/video_generation'],
  special: ['GET', () => '/special/v2/query/video_generation'],
  k: ['GET', () => '/tasks?task_ids=none'],
  image: ['POST', () => '/api/v3/images/generations'],
}

type Wrong = [id: string, says: string, authorization: (key: string) => string | null]

/** Specification, "Authentication" 3: each of these is a 401. */
const wrong: readonly Wrong[] = [
  ['no-key', 'a request without a key is a 401', () => null],
  ['no-bearer', 'a key without "Bearer " is a 401', key => key],
  ['spaces', 'a key with extra whitespace is a 401', key => `Bearer  ${key}`],
  ['unknown-key', 'a key that does not exist is a 401', () => 'Bearer sk-0000000000000000-none'],
]

/** The same rules of the Authorization header for every family, each in its own error shape. */
export const keyRules: readonly Rule[] = (Object.keys(asked) as Rule['family'][]).flatMap(family =>
  wrong.map(
    ([id, says, authorization]): Rule => ({
      id: `${family}.${id}`,
      family,
      says,
      cites: '"Authentication" 3',
      costs: false,
      async check(gateway) {
        const [method, path] = asked[family]
        const body = method === 'POST' ? { body: {} } : {}
        const answer = await gateway.ask(method, path(gateway), {
          ...body,
          authorization: authorization(gateway.key),
        })
        refused(family, answer, [401])
      },
    }),
  ),
)
