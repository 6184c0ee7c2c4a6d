import { UsageError } from '../options/usage-error.ts'
import { nearest } from '../wording/nearest.ts'

/** The values of a subcommand's own flags. Throws UsageError for one it does not know. */
export function readFlags(args: readonly string[], known: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {}
  for (let i = 0; i < args.length; i++) {
    const [name = '', inline] = (args[i] ?? '').split(/=(.*)/s)
    if (!known.includes(name)) {
      const near = nearest(name, known)
      throw new UsageError(`Unknown option ${name}${near ? `; did you mean ${near}?` : ''}`)
    }
    const value = inline ?? args[++i]
    if (value === undefined) throw new UsageError(`${name} needs a value`)
    found[name] = value
  }
  return found
}
