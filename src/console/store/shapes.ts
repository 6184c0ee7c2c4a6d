/** Answers of the control API, as far as the console reads them. */

export type State = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'expired'

export interface StateChange {
  at_ms: number
  state: State
  word: string
}

/** `GET /tasks?detail=line`. */
export interface TaskLine {
  id: string
  family: string
  kind: string
  account: string
  model: string
  status: string
  prompt: string
  states: StateChange[]
  next_change_ms: number | null
  deleted_at_ms: number | null
  error?: { code: string; message: string }
  label?: string
  rule?: string
}

export interface MediaFile {
  name: string
  ending: string
  url: string | null
  expires_at: string
  downloads: number
  max_downloads: number | null
  recipe: { kind: string; width?: number; height?: number }
}

/** `GET /tasks/{id}`. */
export interface TaskView {
  id: string
  family: string
  kind: string
  account: string
  model: string
  status: string
  created_at: string
  updated_at: string
  request_id: string
  request: unknown
  unread?: string[]
  job: unknown
  seed: number
  plan: { starts_at: string; ends_at: string | null; expires_at: string | null; outcome: Outcome }
  facts: { kind: string; at: string; status?: string }[]
  view: { status: string; since: string; error?: { code: string; message: string } }
  deleted_at?: string
  next_change_at: string | null
  charges: { at: string; kind: string; amount: number; released?: number }[]
  media: MediaFile[]
  media_fault?: { kind: string; value?: number }
  /** The same as a scenario rule writes it. */
  media_rule?: unknown
  label?: string
  rule?: string
  notes?: string[]
}

export interface Outcome {
  kind: 'succeeded' | 'failed' | 'cancelled' | 'never'
  code?: string
  message?: string
}

export interface StoryItem {
  at: string
  kind: string
  text: string
}

/** `GET /requests`. */
export interface Entry {
  id: number
  at: string
  at_ms: number
  account: string | null
  operation: string
  method: string
  path: string
  status: number
  request_id: string
  duration_ms: number
  request: { headers: Record<string, string>; body: unknown }
  response: { headers: Record<string, string | number>; body: unknown }
  task_id?: string
  task_ids?: string[]
  rule?: string
  fault?: string
  unread?: string[]
}

export interface ClockView {
  mode: 'realtime' | 'manual' | 'auto'
  rate: number
  now: string
  now_ms: number
}

export interface WorldView {
  id: string
  api_key: string
  base_url: string
  seed: number
  clock: ClockView
  opened_at: string
  now: string
  scenarios: string[]
  tasks: number
}

export interface AccountView {
  id: string
  api_key: string
  template: string
  status: string
  models: string[] | null
  resolutions: string[] | null
  requests_per_minute: number | null
  balance: number | null
}

export interface Listed<T> {
  items: T[]
  next_cursor?: string
}
