/** The first text under a key that prompts use, at any depth: families put the prompt in different places. */
export function promptOf(value: unknown): string {
  return promptsOf(value)[0] ?? ''
}

/** All such texts. */
export function promptsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, entry]) => {
    if (typeof entry !== 'string') return promptsOf(entry)
    return entry !== '' && (key === 'prompt' || key === 'text') ? [entry] : []
  })
}
