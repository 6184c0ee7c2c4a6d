import { hint, UsageError } from '../options/usage-error.ts'

/** The values of a subcommand's own flags. Throws UsageError for an unknown flag. */
export function readFlags(args: readonly string[], known: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {}
  for (let i = 0; i < args.length; i++) {
    const [name = '', inline] = (args[i] ?? '').split(/=(.*)/s)
    if (!known.includes(name)) throw new UsageError(`Unknown option ${name}${hint(name, known)}`)
    const value = inline ?? args[++i]
    if (value === undefined) throw new UsageError(`${name} needs a value`)
    found[name] = value
  }
  return found
}
