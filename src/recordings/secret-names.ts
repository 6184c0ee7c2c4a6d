/*
 * The names of values that are secret, and of values that are known not to be. Headers are redacted unless they are listed.
 * JSON keys and parameters are kept unless their name means a secret.
 */

/** Headers whose values are kept, with secrets inside them redacted. Of every other header only the name is kept. */
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
  'content-disposition',
  'content-encoding',
  'content-length',
  'content-range',
  'content-type',
  'date',
  'etag',
  'expires',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'keep-alive',
  'last-modified',
  'range',
  'retry-after',
  'server',
  'transfer-encoding',
  'user-agent',
  'vary',
  'www-authenticate',
  'x-client-request-id',
  'x-dashscope-async',
  'x-emulator-rule',
  'x-emulator-scenario',
  'x-request-id',
  'x-vendor-async',
])

/** JSON keys, parameters and words before a value that mean the number of an account or project. */
const accountWords =
  'account|acct|project|proj|tenant|organi[sz]ation|org|workspace|team|user|caller|customer|owner|owned|subscription|api_?key'

/** A JSON key or parameter that holds the id of an account, a project or a person. */
export const accountName = new RegExp(
  `^(?:${accountWords})(?:[_-]?(?:id|uid|no|number|name|key|by|api|unique|parent))*$|safety_identifier|^uid$|^aid$`,
  'i',
)

/** `account 2100123456`, `project: p-12ab`, `user_id="…"` inside a sentence: the number has at least four characters, one of them a digit. */
export const accountInText = new RegExp(
  `\\b((?:${accountWords})(?:[ _-]?(?:id|uid|no|number|name))?['"\`]?\\s*[:=#(]?\\s*['"\`]?)((?=[\\w-]*\\d)[A-Za-z0-9][\\w-]{3,})`,
  'gi',
)

/** A JSON key or parameter whose text is a secret. Numbers, such as counts of tokens, are not secret. */
export const secretName =
  /token$|^token|secret|passw|passphrase|credential|authori[sz]|cookie|session|signature|^sig$|api[_-]?key|access[_-]?key|private[_-]?key|certif|^ak$|^sk$|^key$|nonce|otp$|jwt/i

/** JSON keys whose text a person or a model wrote. */
export const promptName = /prompt|^text$|^description$|^name$|^caption$|^title$|^voice_name$|^lyrics$/i

/** Parameters of a link that contain only its end, or a part of the file. */
export const plainLinkParameter =
  /^(expires|x-[a-z]+-(expires|date|algorithm)|part|range|response-content-type)$/i
