import { Buffer } from 'node:buffer'

/** A box: its length, its four letters, its content. */
export function box(type: string, ...content: (Uint8Array | number[])[]): Buffer {
  const head = Buffer.alloc(8)
  const parts = content.map(part => Buffer.from(part))
  head.writeUInt32BE(8 + parts.reduce((sum, part) => sum + part.length, 0), 0)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, ...parts])
}

/** A box that starts with a version and flags. */
export function fullBox(
  type: string,
  versionAndFlags: number,
  ...content: (Uint8Array | number[])[]
): Buffer {
  return box(type, u32(versionAndFlags), ...content)
}

export function u32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, i) => {
    bytes.writeUInt32BE(value, i * 4)
  })
  return bytes
}

export function u16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2)
  values.forEach((value, i) => {
    bytes.writeUInt16BE(value, i * 2)
  })
  return bytes
}
