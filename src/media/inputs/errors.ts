/** Why an input was refused. Families map these to their own codes and statuses. */
export type InputErrorReason =
  | 'undecodable'
  | 'too_many_pixels'
  | 'unknown_format'
  | 'wrong_kind'
  | 'too_large'
  | 'unreachable'
  | 'forbidden_address'
  | 'malformed_reference'
  | 'unknown_asset'
  | 'timeout'

/** An input that cannot be used. The message names the value and what is allowed. */
export class InputError extends Error {
  readonly reason: InputErrorReason

  constructor(reason: InputErrorReason, message: string) {
    super(message)
    this.name = 'InputError'
    this.reason = reason
  }
}

/** The reference for a message: data URIs and long links are cut. */
export function shortReference(reference: string): string {
  return reference.length <= 120 ? reference : `${reference.slice(0, 100)}… (${reference.length} characters)`
}

/**
 * Work that was given up and that nothing shows its input to be the cause of: the system had no process, memory or file handle for
 * it, one of its processes was ended, or they stood still. The message says which.
 */
export class GivenUp extends Error {
  override name = 'GivenUp'
}

/** Does work, once more if it was given up. @throws GivenUp when the second try is given up too, with a message that says so */
export async function tryTwice<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof GivenUp)) throw error
  }
  try {
    return await work()
  } catch (error) {
    if (error instanceof GivenUp) error.message += '; the work was tried twice and given up'
    throw error
  }
}

/** Codes of the system for something that this machine has no more of. */
const shortages = new Set(['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE', 'ENOBUFS'])

/** Whether the system refused something because the machine has no more of it. */
export function isShortage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && shortages.has(String(error.code))
}
