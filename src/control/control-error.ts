/** A refusal of the control API: `{"error":{"code","message","path?","hint?"}}`. */
export class ControlError extends Error {
  readonly status: number
  readonly code: string
  readonly detail: { path?: string; hint?: string }
  /** Methods that the path allows, for 405. */
  allow?: readonly string[]

  constructor(status: number, code: string, message: string, detail: { path?: string; hint?: string } = {}) {
    super(message)
    this.status = status
    this.code = code
    this.detail = detail
  }
}

export function notFound(what: string): ControlError {
  return new ControlError(404, 'not_found', `${what} does not exist`)
}

export function badRequest(message: string, detail: { path?: string; hint?: string } = {}): ControlError {
  return new ControlError(400, 'bad_request', message, detail)
}

/** The refusal of an unknown cursor. To begin again at the first page would make a client that reads all pages loop for ever. */
export function unknownCursor(cursor: unknown): ControlError {
  return badRequest(`${JSON.stringify(cursor)} is not a cursor of this list`, {
    path: 'cursor',
    hint: 'take next_cursor from the previous page; after a reset or restore, begin without a cursor',
  })
}

export function conflict(message: string): ControlError {
  return new ControlError(409, 'conflict', message)
}
