/** A value as an error message shows it: JSON, cut to a readable length. */
export function shown(value: unknown): string {
  // JSON.parse reads 1e400 as Infinity, which JSON.stringify would write as null.
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY)
    return 'a number beyond 1.8e308'
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}

/** The command of an emulator that is installed as the docs say; without `--no-install`, npx may load another package. */
export const installedCommand = 'npx --no-install gateway-emulator'

/** A list of allowed values as an error message shows it. */
export function oneOf(values: readonly unknown[]): string {
  if (values.length === 0) return 'and no value is allowed'
  return `must be ${values.length > 1 ? 'one of ' : ''}${values.map(value => (typeof value === 'string' ? value : shown(value))).join(', ')}`
}
