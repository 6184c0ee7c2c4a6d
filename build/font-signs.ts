import { readFileSync } from 'node:fs'

/** The characters that a TrueType file has a shape for, read from its table "cmap" (OpenType 1.9, formats 4 and 12). */
export function signsOf(path: string): Set<number> {
  const font = readFileSync(path)
  const cmap = tableOf(font, 'cmap')
  const signs = new Set<number>()
  for (let i = 0; i < cmap.readUInt16BE(2); i++) {
    const table = cmap.subarray(cmap.readUInt32BE(8 + 8 * i))
    const format = table.readUInt16BE(0)
    if (format === 4) readFormat4(table, signs)
    if (format === 12) readFormat12(table, signs)
  }
  return signs
}

function tableOf(font: Buffer, tag: string): Buffer {
  for (let i = 0; i < font.readUInt16BE(4); i++) {
    const entry = font.subarray(12 + 16 * i, 28 + 16 * i)
    if (entry.toString('latin1', 0, 4) === tag) return font.subarray(entry.readUInt32BE(8))
  }
  throw new Error(`the font has no table ${tag}`)
}

function readFormat4(table: Buffer, signs: Set<number>): void {
  const half = table.readUInt16BE(6)
  for (let at = 0; at < half; at += 2) {
    const [last, first] = [table.readUInt16BE(14 + at), table.readUInt16BE(16 + half + at)]
    const delta = table.readUInt16BE(16 + 2 * half + at)
    const offsetAt = 16 + 3 * half + at
    const offset = table.readUInt16BE(offsetAt)
    for (let code = first; code <= last && code < 0xffff; code++) {
      const glyph =
        offset === 0 ? (code + delta) & 0xffff : table.readUInt16BE(offsetAt + offset + 2 * (code - first))
      if (glyph !== 0) signs.add(code)
    }
  }
}

function readFormat12(table: Buffer, signs: Set<number>): void {
  for (let i = 0; i < table.readUInt32BE(12); i++) {
    const at = 16 + 12 * i
    for (let code = table.readUInt32BE(at); code <= table.readUInt32BE(at + 4); code++)
      if (table.readUInt32BE(at + 8) + code - table.readUInt32BE(at) > 0) signs.add(code)
  }
}
