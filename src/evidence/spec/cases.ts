import { at } from './json.ts'
import { namedBy, type Observation } from './observation.ts'
import { statements } from './statements/index.ts'

/** A request whose case its sender knows, or the reply shows. `status` and `reply` are those of a gateway that keeps the rules. */
export interface Asked extends Pick<Observation, 'operation' | 'family' | 'status' | 'reply'> {
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

/** What a refusal may have been for, and the words that say so. A recording keeps these words of a message. */
export const causes = {
  face: ['PrivacyInformation', 'real face'],
  moderated: ['SensitiveContent', 'DataInspection', 'sensitive', 'moderation', '1301'],
  balance: ['Arrearage', 'Overdue', 'balance'],
  taskType: ['TaskTypeConstraint'],
  group: ['group'],
  running: ['running'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** Whether a reply names a cause, in whatever case. */
export function names(cause: keyof typeof causes, reply: unknown): boolean {
  const said = (JSON.stringify(reply) ?? '').toLowerCase()
  return causes[cause].some(word => said.includes(word.toLowerCase()))
}

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
    [({ status, reply }) => status === 403 && names('face', reply), 'all.service.face-refused'],
    [({ status, reply }) => status === 403 && names('moderated', reply), 'all.auth.moderated'],
    [({ status, reply }) => status === 403 && names('balance', reply), 'A-403'],
    [({ status }) => status === 403, 'all.auth.model-right'],
    [({ status, family }) => status === 413 && family === 'image', 'image.errors.size'],
    [({ status, isUnreadable }) => status === 413 || (status === 400 && isUnreadable), 'A-body'],
    [({ status, reply }) => status === 400 && names('taskType', reply), 'A-task-type'],
    [
      ({ operation, status, reply }) =>
        operation === 'a.create' &&
        status === 400 &&
        namedBy(reply) === 'resolution' &&
        names('group', reply),
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
