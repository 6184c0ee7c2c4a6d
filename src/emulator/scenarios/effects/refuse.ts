import type { FromSchema } from 'json-schema-to-ts'
import { type Fault, faults } from '../../faults/fault.ts'
import { connectionHeaders } from '../../http/headers.ts'
import { formatDuration } from '../../worlds/clock.ts'
import { choiceTag, duration, needDuration } from '../amounts.ts'
import { ScenarioError, type Steps } from '../scenario-error.ts'
import { drawsNothing, type Effect, everywhere } from './effect.ts'

/** The statuses of a proxy that cannot reach the service behind it. */
const proxyStatuses = [502, 503, 504] as const
type ProxyStatus = (typeof proxyStatuses)[number]

const titles: Readonly<Record<ProxyStatus, string>> = {
  502: 'Bad Gateway',
  503: 'Service Temporarily Unavailable',
  504: 'Gateway Time-out',
}

/** The HTML page that a widely used proxy sends with a status. */
export function proxyPage(status: ProxyStatus): string {
  const title = `${status} ${titles[status]}`
  return [
    '<html>',
    `<head><title>${title}</title></head>`,
    '<body>',
    `<center><h1>${title}</h1></center>`,
    '<hr><center>nginx</center>',
    '</body>',
    '</html>',
    '',
  ].join('\r\n')
}

const schema = {
  type: 'object',
  additionalProperties: false,
  description:
    "Refuse the request: a fault in the family's own dialect, a raw reply, or the page of a proxy before the gateway.",
  properties: {
    fault: { enum: faults, description: 'The fault.' },
    status: { type: 'integer', minimum: 200, maximum: 599, description: 'The status of a raw reply.' },
    body: { description: 'The body of a raw reply: a string is sent unchanged, anything else as JSON.' },
    headers: {
      type: 'object',
      propertyNames: { pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$", description: 'a header name' },
      additionalProperties: {
        type: 'string',
        pattern: '^[\\t\\x20-\\x7e]*$',
        description: 'a header value, ASCII',
      },
      description: 'Headers of a raw reply.',
    },
    proxy_page: {
      enum: proxyStatuses,
      description:
        'The status of an HTML page, as a proxy in front of the gateway sends it. The request does not reach the gateway.',
    },
    message: { type: 'string', description: "The message; by default the fault's own." },
    param: { type: 'string', description: 'The parameter that the error names.' },
    retry_after: {
      type: 'string',
      pattern: duration.pattern,
      description: 'a duration with its unit, such as 5s, sent as Retry-After',
    },
  },
  oneOf: [{ required: ['fault'] }, { required: ['status'] }, { required: ['proxy_page'] }],
  dependentRequired: { message: ['fault'], param: ['fault'], body: ['status'], headers: ['status'] },
} as const

/** `refuse` as files write it. */
export type SpelledRefusal = FromSchema<typeof schema>

/** A refusal of the request: a fault in the family's dialect, a raw reply, or the page of a proxy before the gateway. */
export interface Refusal {
  fault?: Fault
  status?: number
  /** The status of a proxy's HTML page. */
  proxyPage?: ProxyStatus
  body?: unknown
  headers?: Record<string, string>
  message?: string
  param?: string
  retryAfterMs?: number
}

export const refuse = {
  schema,
  read({ retry_after, proxy_page, ...rest }, steps) {
    if (rest.headers) checkRawHeaders(rest.headers, [...steps, 'headers'])
    return {
      ...rest,
      ...(proxy_page !== undefined && { proxyPage: proxy_page }),
      ...(retry_after !== undefined && {
        retryAfterMs: needDuration(retry_after, [...steps, 'retry_after']),
      }),
    }
  },
  draw: drawsNothing<Refusal>,
  spell: ({ retryAfterMs, proxyPage, ...rest }) => ({
    ...rest,
    ...(proxyPage !== undefined && { proxy_page: proxyPage }),
    ...(retryAfterMs !== undefined && { retry_after: formatDuration(retryAfterMs) }),
  }),
  reaches: everywhere,
  text({ fault, status, proxyPage, retryAfterMs }) {
    const what = fault ?? (proxyPage ? `proxy page ${proxyPage}` : `status ${status}`)
    return `refused: ${what}${retryAfterMs === undefined ? '' : `, try again after ${formatDuration(retryAfterMs)}`}`
  },
  tags: {
    refuse: choiceTag<Refusal>(Object.fromEntries(faults.map(fault => [fault, taggedRefusal(fault)])), [
      { value: 'moderated', does: 'Moderation refuses the request' },
      { value: 'rate_limited', does: 'Too many requests' },
    ]),
    proxy_page: choiceTag<Refusal>(
      Object.fromEntries(proxyStatuses.map(status => [status, { proxyPage: status }])),
      [{ value: '502', does: 'A proxy before the gateway answers' }],
    ),
  },
} as const satisfies Effect<SpelledRefusal, Refusal>

/** A throttled reply says by default when to try again. Clients behave differently without it, so rules can leave it out. */
function taggedRefusal(fault: Fault): Refusal {
  return fault === 'rate_limited' ? { fault, retryAfterMs: 5000 } : { fault }
}

/** Headers that frame a reply on its connection. The server writes them; other values would break the framing. */
const framing: readonly string[] = [...connectionHeaders, 'content-length']

/** Checks the headers of a raw refusal. Throws ScenarioError for a header that cannot be sent unchanged. */
function checkRawHeaders(headers: object, steps: Steps): void {
  const seen = new Set<string>()
  for (const header of Object.keys(headers)) {
    const at = [...steps, header]
    const lower = header.toLowerCase()
    if (framing.includes(lower))
      throw new ScenarioError(`the header ${header} is set by the server itself`, {
        steps: at,
        hint: 'leave it out; use connection, such as {reset: mid_body}, to break replies on purpose',
      })
    if (seen.has(lower))
      throw new ScenarioError(`the header ${header} appears twice`, { steps: at, hint: 'give it one value' })
    seen.add(lower)
  }
}
