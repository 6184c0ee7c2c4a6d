import { crc32 } from 'node:zlib'

// `,"crc":"1a2b3c4d"}`
const SEAL = /^,"crc":"([0-9a-f]{8})"\}$/
const SEAL_BYTES = 18

/** An object as one line of JSON. Its last property, `crc`, is the CRC-32 of all text before that property. */
export function checksummedLine(value: object): string {
  const text = JSON.stringify(value).slice(0, -1)
  return `${text},"crc":"${hex(crc32(text))}"}\n`
}

/** Whether the checksum of a line, without its newline, is right. */
export function isIntact(line: Buffer): boolean {
  const end = line.length - SEAL_BYTES
  const seal = end > 0 ? SEAL.exec(line.toString('latin1', end)) : null
  return seal?.[1] === hex(crc32(line.subarray(0, Math.max(end, 0))))
}

function hex(checksum: number): string {
  return checksum.toString(16).padStart(8, '0')
}
