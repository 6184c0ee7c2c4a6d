import type { Assumption } from '../../evidence/spec.ts'
import type { Failure } from './call.ts'
import type {
  AccountView,
  Advanced,
  AssetView,
  ClockView,
  Finding,
  Ledger,
  List,
  RequestLine,
  RequestView,
  ScenarioList,
  SnapshotView,
  Story,
  TaskLine,
  TaskView,
  Verdict,
  WorldView,
} from './types.ts'

/** With `undo=true`, the id for `POST /undo/{id}`. */
interface Undone {
  undo?: string
}

/** The names of the active scenarios. */
interface Active {
  active: string[]
}

type Listing = ScenarioList['available'][number]

/** A list that may lack entries which the full journal dropped. */
interface Journaled<T> {
  items: T[]
  /** Which entries were dropped. */
  incomplete?: string
}

/** A document of its own form. */
type Document = Record<string, unknown>

/** An injected rule; what it does is in the scenario language. */
interface Injection {
  id: string
  operation: string
  nth: number
  calls_left: number
  then: Document
}

/** The error of every refused call. */
export interface ControlRefusal {
  error: {
    /** Such as `bad_request`. */
    code: string
    /** A sentence. */
    message: string
    /** The place in the request. */
    path?: string
    /** What to do instead. */
    hint?: string
  }
}

/** What each call of the control API with a JSON reply answers: `build/control-schemas.mjs` makes the schemas of its OpenAPI document. */
export interface ControlReplies {
  'GET /openapi.control.json': Document
  'GET /openapi.json': Document
  'GET /scenario.schema.json': Document
  'GET /health': {
    status: 'ok'
    version: string
    /** Changes when the emulator starts anew. */
    instance: string
    /** Its process. */
    pid: number
    /** The name of the machine or container in which that process has this number. */
    machine: string
    uptime_ms: number
    /** How many are open. */
    worlds: number
    /** Files that are being made. */
    rendering: number
    /** Requests of this world that have no reply yet. */
    open_requests: number
    /** Those of them that a scenario holds back. */
    delayed_replies: number
    /** Those that are answered only when the clock moves, or never. */
    held_replies: number
  }
  'GET /assumptions': List<Assumption>
  'GET /samples': List<{ name: string; url: string; [property: string]: unknown }>
  'GET /examples': List<{ operation: string; name: string; body: Document }>
  'GET /models': List<{ id: string; names: string[] }>
  'GET /prompt-tags': List<{ tag: string; does: string }>
  'GET /worlds': List<WorldView>
  'POST /worlds': WorldView
  'GET /worlds/{id}': WorldView
  'DELETE /worlds/{id}': Undone
  'POST /reset': WorldView & Undone
  'GET /clock': ClockView
  'POST /clock/join': { connect: string }
  'PATCH /clock': ClockView
  'POST /clock/advance': Advanced
  'GET /scenarios': ScenarioList
  'POST /scenarios': Listing & Active
  'PUT /scenarios/active': Active
  'PATCH /scenarios/active': Active
  'POST /scenarios/check': {
    ok: true
    name: string
    rules: number
    /** Rules, operations and effects that can never act. */
    warnings: { path: string; message: string; hint?: string }[]
  }
  'GET /scenarios/{name}': Listing & {
    document: Document
    /** As it was written, when it came from a file. */
    text?: string
    /** The number of the first request to which its rules apply. */
    since_request: number
    /** Rules that come before its own. */
    shadowed: unknown[]
  }
  'DELETE /scenarios/{name}': Active & Undone
  'GET /inject': List<Injection>
  'POST /inject': Injection
  'DELETE /inject/{id}': Document
  'GET /tasks': List<TaskView | TaskLine>
  'POST /tasks': TaskView
  'GET /tasks/{id}': TaskView
  'GET /tasks/{id}/story': Story
  'POST /tasks/{id}/force': TaskView
  'POST /tasks/{id}/expire-link': TaskView
  /** With `format=har` a HAR 1.2 document. */
  'GET /requests':
    | Journaled<RequestView>
    | (Journaled<RequestLine> & { total: number; lines: number })
    | { log: Document }
  'DELETE /requests': Undone
  'POST /requests/release': Document
  'POST /requests/verify': Verdict
  'GET /failures': List<Failure>
  'GET /findings': Journaled<Finding>
  /** With `format=html` a page. */
  'GET /trace': Document
  'GET /trace.schema.json': Document
  'GET /snapshots': List<SnapshotView>
  'POST /snapshots': SnapshotView
  'POST /snapshots/{name}/restore': SnapshotView & Undone
  'DELETE /snapshots/{name}': Undone
  'GET /state': Document
  'PUT /state': { id: string; tasks: number; now: string }
  'POST /undo/{id}': Document
  'DELETE /undo/{id}': Document
  'GET /ledger': Ledger
  'GET /accounts': List<AccountView>
  'PATCH /accounts/{id}': AccountView
  'GET /assets': List<AssetView>
  'POST /assets': AssetView
  'DELETE /assets/{id}': Undone
}
