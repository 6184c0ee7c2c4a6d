/** Words as a shell takes them. */
export function shellText(words: readonly string[]): string {
  return words
    .map(word => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ')
}
