import { describe, expect, it } from 'vitest'
import { settingsFor } from '../src/cli/commands/selfcheck.ts'
import { checks, walk } from '../src/evidence/selfcheck/checks.ts'
import { gatewayAt } from '../src/evidence/selfcheck/gateway.ts'
import { openGateway } from './support/gateway.ts'

/**
 * What can be seen of the specification from outside, each rule as a test of its own. The table is the one of `gateway-emulator selfcheck`.
 * `GATEWAY_TEST_URL=http://127.0.0.1:8585 npx vitest run test/selfcheck-rules.test.ts` checks a running server. For a real gateway also:
 * GATEWAY_TEST_KEY, GATEWAY_TEST_OTHER_KEY, GATEWAY_TEST_MODELS (model_a_25=NAME,…), and GATEWAY_TEST_COSTS=yes for rules that cost money.
 */
const {
  GATEWAY_TEST_URL,
  GATEWAY_TEST_KEY,
  GATEWAY_TEST_OTHER_KEY,
  GATEWAY_TEST_MODELS,
  GATEWAY_TEST_COSTS,
} = process.env
const url = GATEWAY_TEST_URL?.replace(/\/+$/, '') ?? (await openGateway()).url
const { isFree, ...settings } = await settingsFor(
  url,
  { key: GATEWAY_TEST_KEY, 'other-key': GATEWAY_TEST_OTHER_KEY, models: GATEWAY_TEST_MODELS },
  false,
)
const gateway = gatewayAt(settings)
const mayCost = isFree || GATEWAY_TEST_COSTS === 'yes'

describe('rules of the specification, checked over HTTP', () => {
  it.for(checks.map(rule => [`${rule.id}: ${rule.says} (${rule.cites})`, rule] as const))(
    '%s',
    async ([, rule], { skip }) => {
      const [finding] = await walk([rule], gateway, { mayCost }, () => {})
      // Only a real gateway lacks what a rule needs; the emulator has everything.
      if (finding?.outcome === 'skipped' && !isFree) skip(finding.reason)
      expect(finding?.outcome, finding?.reason).toBe('ok')
    },
  )
})
