import { readMoment } from '../worlds/clock.ts'
import { badRequest } from './control-error.ts'

/** A moment of virtual time in a body, in epoch milliseconds. Throws 400, naming the parameter, the value and the range. */
export function momentIn(value: unknown, path: string): number {
  const read = readMoment(value)
  if ('fault' in read) throw badRequest(read.fault, { path })
  return read.ms
}
