/*
 * The names of values that are secret, and of values that are known not to be. Headers and parameters are redacted unless they are
 * listed. JSON keys are kept unless their name means a secret.
 */

/** Headers whose values are kept, with secrets inside them redacted. Of every other header at most the name is kept. */
export const plainHeaders: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-ranges',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'allow',
  'cache-control',
  'connection',
  'content-encoding',
  'etag',
  'host',
  'if-match',
  'if-none-match',
  'keep-alive',
  'server',
  'transfer-encoding',
  'user-agent',
  'vary',
  'www-authenticate',
  'x-client-request-id',
  'x-dashscope-async',
  'x-request-id',
  'x-vendor-async',
])

const date = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/

/** Headers whose value is kept exactly when it has this form. */
export const headerForms: Readonly<Record<string, RegExp>> = {
  'content-length': /^\d{1,15}$/,
  'content-range': /^bytes (?:\d{1,15}-\d{1,15}|\*)\/(?:\d{1,15}|\*)$/,
  date,
  expires: date,
  'if-modified-since': date,
  'if-range': date,
  'if-unmodified-since': date,
  'last-modified': date,
  range: /^bytes=[\d\s,-]{1,60}$/,
  'sec-fetch-dest': /^(?:document|empty|image|video)$/,
  'retry-after': /^\d{1,9}$|^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
  // Ids of a trace and a span, and flags (W3C Trace Context, level 1).
  traceparent: /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/,
}

/** JSON keys, parameters and words before a value that mean an account, a project or a person. */
const accountWords =
  'account|acct|project|proj|tenant|organi[sz]ation|org|workspace|team|user|caller|customer|owner|owned|subscription|api_?key'

/** A JSON key or parameter that holds the id or the address of an account, a project or a person. */
export function isAccountName(name: string): boolean {
  return accountName.test(name.replace(/([a-z\d])([A-Z])/g, '$1_$2'))
}

const accountName = new RegExp(
  `^(?:\\w*[_-])?(?:${accountWords})s?(?:[_-]?(?:id|uid|no|number|name|key|by|api|unique|parent)s?)*$|safety_identifier|^[ua]id$|^(?:client|app)[_-]?id$|(?:^|[_-])(?:e?mail|(?:phone|mobile)(?:[_-]?number)?|ip|addr(?:ess)?|host(?:name)?)$`,
  'i',
)

/** Words before the id of an account or a project in a sentence, as in `account 2100123456` and `project "lighthouse"`. */
export const accountInText = new RegExp(
  `(?<![a-z])(?:${accountWords}|api key)s?(?:[ _-]?(?:id|uid|no|number|name))?(?:\\s+(?:by|is|was|named|called|with id))?(?![a-z])['"\`]?\\s*[:=#(]?\\s*(?:"([^"]{1,200})"|'([^']{1,200})'|\`([^\`]{1,200})\`|['"\`]?([a-z0-9][\\w.@-]*))`,
  'gi',
)

/** The same in Chinese. */
export const accountInChinese =
  /(?:账号|账户|帐号|帐户|项目|租户|用户|组织|团队|工作区)\s*(?:ID|编号|名称)?\s*[:：=#(（]?\s*["'「“]?([A-Za-z0-9][\w.@-]*)/gi

/** A JSON key or parameter whose value is a secret. */
export const secretName =
  /tokens?$|^token|secret|passw|passphrase|passcode|^pass$|pwd$|credential|authori[sz]|^auth$|[_-]auth$|cookie|session|signature|^sig$|api[_-]?keys?$|access[_-]?keys?|private[_-]?key|(?:signing|encryption)[_-]?key|^key[_-]?id$|certif(?!ied)|^ak$|^sk$|^keys?$|nonce|otp$|otp_?code|(?:verif\w*|one[_-]?time|2fa|mfa)[_-]?code|^sid$|csrf|xsrf|^salt$|hmac|assertion|^saml|code[_-]?verifier|security[_-]?code|^pin$|[_-]pin$|^cvv$|jwt|bearer/i

/** Names of numbers that only look secret: how many tokens, and how long something is valid. */
export const countName =
  /tokens$|count|usage|limit|length|expires|ttl|seconds|bytes|(?:_|^)(?:at|in|ms|index)$/i

/** JSON keys whose text a person or a model wrote. */
export const promptName =
  /prompts?$|^prompt(?!_extend)|^text$|^texts$|^description$|^name$|^caption$|^title$|^voice_name$|^lyrics$|^content$|^input$|^instructions?$|^script$|^dialogue$/i

/** Prompt names below which every text is a prompt. */
export const promptObjectName = /prompts?$|^text$/i

/** Names of texts that people read, also when they are one word. */
export const messageName = /message|^msg$|_msg$|^reason$|^detail$|^error$|^errors$|^description$|^warning$/i

/** Parameters of a signed link. All others are numbered. */
export const linkParameter =
  /^(?:x-(?:tos|amz|oss|goog|cos|obs|bce|ms|vendor|emulator)-(?:signature|security-token|credential|algorithm|date|expires|signedheaders|process)|signature|expires|(?:oss|aws)?accesskeyid|key-pair-id|policy|token|sig|se|sp|sv|sr|st|auth_key|part|range|response-content-(?:type|disposition))$/i

/** Values of a link that show only its end, or a part of the file, by the name of the parameter. */
export const plainLinkValues: readonly (readonly [name: RegExp, form: RegExp])[] = [
  [/^(?:x-[a-z]+-)?expires$/i, /^\d{1,14}$/],
  [/^x-[a-z]+-date$/i, /^\d{8}T\d{6}Z$/],
  [/^x-[a-z]+-algorithm$/i, /^[A-Z0-9]{3,5}-HMAC-SHA(?:1|256)$/],
  [/^(?:part|range)$/i, /^\d{1,12}(?:-\d{1,12})?$/],
  [/^response-content-type$/i, /^(?:image|video|audio)\/(?:jpeg|png|webp|mp4|mpeg|wav)$/],
]
