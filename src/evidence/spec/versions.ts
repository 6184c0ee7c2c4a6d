import { at } from './json.ts'

/** Not the digits of a snapshot date, as in `-2-0-251015`. */
export const name25 = /(?<!\d)2[_.-]?5(?!\d)/
/** The name of a model of version 2.0. */
export const name20 = /(?<!\d)2[_.-]?0(?!\d)/

/** Whether a request names a model of version 2.5. */
export function is25(body: unknown): boolean {
  return name25.test(String(at(body, 'model')))
}
