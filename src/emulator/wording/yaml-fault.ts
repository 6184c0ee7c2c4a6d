/** What is wrong with a YAML text, from the error of its reader. The reader uses the stack for each level of nesting. */
export function yamlFault(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  if (/call stack/i.test(message)) return 'it is nested too deeply'
  if (/excessive alias/i.test(message)) return 'its aliases would make it too large'
  const [line = message] = message.split('\n', 1)
  // A picture of the place follows the colon.
  return line.replace(/( at line \d+, column \d+)?:$/, '$1')
}
