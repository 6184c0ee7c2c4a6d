import { describeMedia, type MediaDescription, mediaLabel } from '../describe-media.ts'

/** The files in a JSON value, by the string that contains them: data URIs, and long texts in base64. */
export async function describeFilesIn(texts: ReadonlySet<string>): Promise<Map<string, MediaDescription>> {
  const described = new Map<string, MediaDescription>()
  for (const text of texts) {
    const known = digestedMedia(text)
    const { bytes, label, form } = bytesOfMedia(text)
    const media = known ?? { ...(await describeMedia(bytes, label)), form }
    // Base64 that is no file may say anything: it is a text.
    if (known || form === 'data_uri' || media.sha256 !== undefined) described.set(text, media)
  }
  return described
}

/** The strings of a JSON value that contain a file. */
export function mediaStrings(value: unknown, found = new Set<string>(), key = ''): Set<string> {
  if (typeof value === 'string') {
    if (isFile(value, key)) found.add(value)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value))
      mediaStrings(inner, found, Array.isArray(value) ? key : name)
  }
  return found
}

const base64Keys = /^b64_json$|base64|^data$/
const shortestFile = 256

function isFile(text: string, key: string): boolean {
  if (/^data:/i.test(text.slice(0, 5)) || digest.test(text)) return text.includes(',')
  if (text.length < 16 || (text.length < shortestFile && !base64Keys.test(key))) return false
  return /^[A-Za-z0-9+/]{16}/.test(text) && !/[^A-Za-z0-9+/=\s_-]/.test(text) && !/[a-z] [a-z]/i.test(text)
}

const digest = /^(?:data:([^,;]*)[^,]*,)?…\((\d+) characters, sha256 [0-9a-f]{16,64}\)$/

/** The description of a file in an emulator's journal, which keeps type and size, and a digest that anybody may have written. */
function digestedMedia(text: string): MediaDescription | undefined {
  const [whole, type, characters] = digest.exec(text) ?? []
  if (whole === undefined) return undefined
  return {
    type: mediaLabel(type),
    bytes: Math.floor((Number(characters) * 3) / 4),
    form: type === undefined ? 'base64' : 'data_uri',
  }
}

/** The bytes of a string that contains a file, and the type that it announces. */
function bytesOfMedia(text: string): { bytes: Buffer; label: string; form: 'data_uri' | 'base64' } {
  const head = /^data:([^,]{0,200}),/i.exec(text.slice(0, 256))
  if (!head) return { bytes: Buffer.from(text, 'base64'), label: '', form: 'base64' }
  const body = text.slice(head[0].length)
  const isBase64 = /;base64$/i.test(head[1] ?? '')
  return {
    bytes: isBase64 ? Buffer.from(body, 'base64') : Buffer.from(body),
    label: head[1] ?? '',
    form: 'data_uri',
  }
}
