import { type Check, NotShown } from './checks.ts'
import type { Gateway } from './gateway.ts'

/** The result of one rule. */
export interface Finding {
  rule: Check
  outcome: 'ok' | 'failed' | 'skipped'
  reason?: string
}

/** Checks one rule after the other. A rule is skipped when something it needs is missing, or when it costs money that may not be spent. */
export async function walk(
  rules: readonly Check[],
  gateway: Gateway,
  { mayCost }: { mayCost: boolean },
  report: (finding: Finding) => void,
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const rule of rules) {
    const finding = await find(rule, gateway, mayCost)
    findings.push(finding)
    report(finding)
  }
  return findings
}

async function find(rule: Check, gateway: Gateway, mayCost: boolean): Promise<Finding> {
  const reason = whyNot(rule, gateway, mayCost)
  if (reason) return { rule, outcome: 'skipped', reason }
  try {
    await rule.check(gateway)
    return { rule, outcome: 'ok' }
  } catch (error) {
    if (error instanceof NotShown) return { rule, outcome: 'skipped', reason: error.message }
    return { rule, outcome: 'failed', reason: error instanceof Error ? error.message : String(error) }
  }
}

function whyNot(rule: Check, gateway: Gateway, mayCost: boolean): string | undefined {
  if (rule.costs && !mayCost) return 'it costs money; allow it with --yes'
  if (rule.needs === 'other account' && !gateway.otherKey)
    return 'it needs the key of another account: --other-key'
  if (rule.needs === 'samples' && !gateway.sample('landscape.jpg'))
    return 'it needs a video that the gateway can fetch, as the emulator has them'
  return undefined
}

/** The exit code and the last line. A walk without a checked rule has failed. */
export function summary(findings: readonly Finding[]): { code: number; text: string } {
  const count = (outcome: Finding['outcome']) => findings.filter(found => found.outcome === outcome).length
  const text = `${count('ok')} ok, ${count('failed')} failed, ${count('skipped')} skipped`
  if (count('failed') > 0) return { code: 1, text }
  return count('ok') > 0 ? { code: 0, text } : { code: 1, text: `${text}: nothing was checked` }
}

/** A finding as a line of the table. */
export function line({ rule, outcome, reason }: Finding): string {
  const head = `${outcome.padEnd(7)} ${rule.id.padEnd(26)} ${rule.says} (${rule.cites})`
  return reason === undefined ? head : `${head}\n        ${reason}`
}
