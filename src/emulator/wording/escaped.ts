/** A text inside HTML or XML. */
export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, sign => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? '&quot;')
}
