/** The first text under a key that prompts use, at any depth: families put the prompt in different places. */
export function promptOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return ''
  for (const [key, entry] of Object.entries(value)) {
    const found =
      typeof entry === 'string' ? (key === 'prompt' || key === 'text' ? entry : '') : promptOf(entry)
    if (found !== '') return found
  }
  return ''
}
