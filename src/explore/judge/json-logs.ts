/** A text in which each line of a structured log, in JSON or as `key=value`, is its message, with the level where that is below an error. */
export function withoutJsonLogs(text: string): string {
  return text
    .split('\n')
    .map(line => messageOf(fieldsOf(line.trim())) ?? line)
    .join('\n')
}

type Fields = Readonly<Record<string, unknown>>

const pair = /([\w.]+)=("(?:\\.|[^"\\])*"|\S*)/g

function fieldsOf(line: string): Fields {
  if (/^\{.*\}$/.test(line)) return objectIn(line)
  if (!/^(?:time|ts|level|lvl|msg)=.*\bmsg=/.test(line)) return {}
  return Object.fromEntries(
    [...line.matchAll(pair)].map(([, key = '', value = '']) => [key, unquoted(value)]),
  )
}

function objectIn(text: string): Fields {
  try {
    return JSON.parse(text) as Fields
  } catch {
    return {}
  }
}

function unquoted(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** What the loggers call these fields: pino, bunyan, winston, structlog, logrus, zap, zerolog, slog and those of clouds. */
const messages = ['msg', 'message', 'event']
const errors = ['err', 'error', 'exception', 'exc_info', 'cause']
const levels = ['level', 'severity', 'lvl', 'levelname', 'log.level']

function messageOf(fields: Fields): string | undefined {
  const error = textAt(fields, errors)
  const message = textAt(fields, messages) ?? error
  if (message === undefined) return undefined
  const level = levelOf(fields)
  const words = error === undefined || message.includes(error) ? message : `${message}: ${error}`
  return [...(level === undefined ? [] : [level]), words.replaceAll(/\s*\n\s*/g, ' ')].join(' ')
}

/** The first of these fields that has a text; of an error its message, of a stack its last line. */
function textAt(fields: Fields, names: readonly string[]): string | undefined {
  return names.flatMap(name => {
    const value = fields[name]
    const text = typeof value === 'object' && value !== null ? (value as Fields).message : value
    if (typeof text !== 'string' || text.trim() === '') return []
    return /^Traceback /.test(text) ? (text.trim().split('\n').at(-1) ?? []) : text
  })[0]
}

/** `WARN`, `INFO` or `DEBUG`; undefined for an error, and without a level. */
function levelOf(fields: Fields): string | undefined {
  const level = levels.map(name => fields[name]).find(value => value !== undefined)
  if (typeof level === 'number')
    return level >= 50 ? undefined : level >= 40 ? 'WARN' : level >= 30 ? 'INFO' : 'DEBUG'
  return /^(?:warn|info|debug|trace|notice)/i.test(String(level)) ? String(level).toUpperCase() : undefined
}
