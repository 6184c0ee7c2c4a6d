import { execFile } from 'node:child_process'
import type { MediaFacts } from '../media-facts.ts'

/** The longest sound that a request may bring along. */
const mostSeconds = 300
/** 300 s at 128 kbit/s are 4.8 MB. */
const mostBytes = 16 * 1024 * 1024
const longestRunMs = 30_000

/** The demuxer is named, so that a playlist in disguise cannot make ffmpeg open other files or links. */
const demuxers: Readonly<Record<string, string>> = {
  mp4: 'mov',
  mov: 'mov',
  m4a: 'mov',
  webm: 'matroska',
  mp3: 'mp3',
  wav: 'wav',
  aac: 'aac',
}

/**
 * The sound of a file as an ADTS stream of AAC at 48 kHz, mono or stereo, as a track of a video takes it.
 * Undefined when nothing of it can be decoded. `ffmpeg` is the path of the program.
 * @throws the system's error when the program cannot be started
 */
export function extractSound(
  file: string,
  { format }: Pick<MediaFacts, 'format'>,
  ffmpeg: string,
): Promise<Buffer | undefined> {
  const input = ['-v', 'error', '-nostdin', '-protocol_whitelist', 'file', '-f', demuxers[format] ?? 'mov']
  const shape = [
    '-vn',
    '-t',
    String(mostSeconds),
    '-af',
    'aformat=channel_layouts=mono|stereo',
    '-ar',
    '48000',
  ]
  const coding = ['-c:a', 'aac', '-aac_coder', 'fast', '-b:a', '128k', '-f', 'adts', 'pipe:1']
  const options = { encoding: 'buffer', timeout: longestRunMs, maxBuffer: mostBytes } as const
  return new Promise((resolve, reject) => {
    execFile(ffmpeg, [...input, '-i', file, ...shape, ...coding], options, (error, stdout) => {
      if (error && typeof error.code === 'string' && error.code.startsWith('EN')) reject(error)
      else resolve(error || stdout.length === 0 ? undefined : stdout)
    })
  })
}
