/** The fields of a form, by name: `a=1&b=2`, or the parts of a multipart body. Empty for another text. */
export function formFields(text: string): [name: string, value: string][] {
  const boundary = /^--([^\r\n]{1,200})\r?\n/.exec(text)?.[1]
  if (boundary !== undefined) return text.split(`--${boundary}`).flatMap(fieldsOfPart)
  return /^[^\s=&]{1,200}=/.test(text) ? [...new URLSearchParams(text)] : []
}

function fieldsOfPart(part: string): [name: string, value: string][] {
  const [, head = '', body = ''] = /^\r?\n([\s\S]*?)\r?\n\r?\n([\s\S]*?)\r?\n?$/.exec(part) ?? []
  const value = (name: string) => new RegExp(`[;\\s]${name}="((?:[^"\\\\]|\\\\.)*)"`, 'i').exec(head)?.[1]
  const name = value('name')
  const file = value('filename')
  // A file's name is a text that a person wrote.
  return [
    ...(name === undefined ? [] : [[name, body] as [string, string]]),
    ...(file ? [['title', file] as [string, string]] : []),
  ]
}
