import { createContext } from 'preact'
import { factsOfFamily } from '../../emulator/words.ts'
import type { Assumption } from '../../evidence/spec.ts'
import { messageIn, type RequestView } from '../../kits/views.ts'
import { pathOf } from '../parts/path.ts'
import type { PublicReply } from '../store/api.ts'

/** Why a request was refused, to show beside its field. */
export interface ShownRefusal {
  status: number
  /** The path of the field as callers write it: `content[1].image_url.url`; undefined when it is about no field. */
  param: string | undefined
  said: string
  rule: string | undefined
  /** What the emulator assumes about the field, where the specification is silent. */
  assumptions: readonly Assumption[]
}

/** The refusal of the last request, as long as its field has the refused value. */
export const Refused = createContext<ShownRefusal | undefined>(undefined)

/** The refusal in a reply; undefined for a success. The field comes from the journal, which has it for every family. */
export function refusalOf(
  { status, headers, body }: PublicReply,
  {
    entry,
    family,
    assumptions,
  }: { entry: RequestView | undefined; family: string; assumptions: readonly Assumption[] },
): ShownRefusal | undefined {
  if (status < 400) return undefined
  const rule = entry?.rule ?? headers.get('x-emulator-rule') ?? undefined
  const param = entry?.param
  return {
    status,
    param,
    said: messageIn(body) ?? '',
    rule,
    assumptions: param === undefined || rule !== undefined ? [] : about(param, { family, assumptions }),
  }
}

const mostShown = 2
/** Names that many fields share: the name of the object that contains them says more. */
const general = new Set(['url', 'text', 'type', 'role'])

/** The assumptions of a family that name a field. */
function about(
  param: string,
  { family, assumptions }: { family: string; assumptions: readonly Assumption[] },
): Assumption[] {
  const names = pathOf(param).filter(step => typeof step === 'string')
  const name = names.findLast(step => !general.has(step)) ?? ''
  const word = new RegExp(`(^|[^a-z_])${name.replaceAll(/\W/g, '')}([^a-z_]|$)`, 'i')
  const scopes = [family, factsOfFamily(family)?.variantOf ?? [], 'all'].flat()
  const fitting = assumptions.filter(
    ({ scope, question, answer }) => scopes.includes(scope) && word.test(`${question} ${answer}`),
  )
  const rank = ({ scope, question }: Assumption) => scopes.indexOf(scope) + (word.test(question) ? 0 : 3)
  return fitting.sort((a, b) => rank(a) - rank(b)).slice(0, mostShown)
}
