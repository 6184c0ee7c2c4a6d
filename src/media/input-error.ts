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
