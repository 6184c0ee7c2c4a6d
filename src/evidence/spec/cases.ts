import { at } from './json.ts'
import { namedBy, type Sight } from './sight.ts'
import { statements } from './statements/index.ts'

/** A request whose case its sender knows, or the reply shows. `status` and `reply` are those of a gateway that keeps the rules. */
export interface Asked extends Pick<Sight, 'operation' | 'family' | 'status' | 'reply'> {
  path: string
  /** The Authorization header: none, with a key, with blanks around the key, or without `Bearer`. */
  key: 'none' | 'bearer' | 'spaced' | 'bare'
  /** Whether the body is no JSON, or nested too deeply. */
  isUnreadable: boolean
  /** The same request's reply of another gateway. */
  other: unknown
  /** Who made the task that it asks for. */
  maker?: { family: string; isOtherAccount: boolean } | undefined
}

const said = ({ reply }: Asked) => JSON.stringify(reply) ?? ''
const isUnknown = ({ operation, reply, other }: Asked) =>
  operation === 'b.get' && [reply, other].some(one => at(one, 'output', 'task_status') === 'UNKNOWN')
const isMissing = ({ operation, status }: Asked) => operation === 'a.get' && status === 404
const isForeign = ({ maker }: Asked) => maker?.isOtherAccount ?? false

/** Rows with the requests that are their cases; the first that fits counts. A row may be an assumption. */
const cases: readonly (readonly [is: (asked: Asked) => boolean, ...rows: readonly [string, ...string[]]])[] =
  [
    [({ status, key }) => status === 401 && key === 'none', 'all.auth.missing'],
    [({ status, key }) => status === 401 && key === 'bearer', 'all.auth.disabled'],
    [({ status, key }) => status === 401 && key === 'spaced', 'all.auth.whitespace'],
    [({ status }) => status === 401, 'all.auth.no-prefix'],
    [
      asked => asked.status === 403 && /PrivacyInformation|real face/i.test(said(asked)),
      'all.service.face-refused',
    ],
    [
      asked =>
        asked.status === 403 &&
        /SensitiveContent|DataInspection|sensitive|moderation|1301/i.test(said(asked)),
      'all.auth.moderated',
    ],
    [asked => asked.status === 403 && /Arrearage|Overdue|balance/i.test(said(asked)), 'A-403'],
    [({ status }) => status === 403, 'all.auth.model-right'],
    [({ status, family }) => status === 413 && family === 'image', 'image.errors.size'],
    [({ status, isUnreadable }) => status === 413 || (status === 400 && isUnreadable), 'A-body'],
    [asked => asked.status === 400 && /TaskTypeConstraint/.test(said(asked)), 'A-task-type'],
    [
      asked =>
        asked.operation === 'a.create' &&
        asked.status === 400 &&
        namedBy(asked.reply) === 'resolution' &&
        /group/.test(said(asked)),
      'all.errors.resolution-group',
      'a.create.resolution-group',
    ],
    [asked => isUnknown(asked) && isForeign(asked), 'b.errors.foreign'],
    [isUnknown, 'b.states.unknown-missing'],
    [asked => isMissing(asked) && isForeign(asked), 'a.get.foreign', 'all.auth.owner'],
    [isMissing, 'a.get.missing'],
    [
      ({ operation, status, maker }) =>
        operation === 'special.get' && status === 404 && maker?.family === 'c',
      'special.get.namespace',
      'special.service.namespace',
    ],
  ]

/** The paths that do not exist by a row of the specification, each with that row. */
const missingPaths = statements.flatMap(({ id, seen }) =>
  Object.values(seen)
    .flat()
    .flatMap(row =>
      row.kind === 'answers' && row.ask?.isNoPath ? [[id, row.ask.path.split('?', 1)[0]]] : [],
    ),
)

/** The rows by which a path does not exist, or the path of a task below it. */
export function rowsOfMissingPath(path: string): string[] {
  return missingPaths.flatMap(([id = '', own]) => (path === own || path.startsWith(`${own}/`) ? [id] : []))
}

/** The rows whose case a request is; none where its parameters alone explain the reply. */
export function casesOf(asked: Asked): readonly string[] {
  if (asked.operation === 'unknown') {
    const stated = rowsOfMissingPath(asked.path)
    return stated.length > 0 ? stated : ['A-paths']
  }
  const [, ...rows] = cases.find(([is]) => is(asked)) ?? []
  return rows
}
