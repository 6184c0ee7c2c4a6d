import { execFile } from 'node:child_process'

/** The demuxer is named, so that a playlist in disguise cannot make ffmpeg open other files or links. */
const demuxers: Readonly<Record<string, string>> = {
  mp4: 'mov',
  mov: 'mov',
  m4a: 'mov',
  webm: 'matroska',
  bmp: 'bmp_pipe',
  mp3: 'mp3',
  wav: 'wav',
  aac: 'aac',
}

/** A file that came with a request, and how ffmpeg reads it. */
export interface Reading {
  file: string
  /** The name of its format in `MediaFacts`. */
  format: string
  /** Options before the file, and those after it up to the output. */
  before: readonly string[]
  after: readonly string[]
  longestMs: number
  mostBytes: number
}

/** The standard output of ffmpeg. It is incomplete when ffmpeg failed, ran too long or wrote too much. */
export interface Read {
  bytes: Buffer
  isWhole: boolean
}

/**
 * Lets ffmpeg read a file. `ffmpeg` is the path of the program.
 * @throws the system's error when the program cannot be started
 */
export function readWithFfmpeg(ffmpeg: string, reading: Reading): Promise<Read> {
  const { file, format, before, after, longestMs, mostBytes } = reading
  const input = ['-protocol_whitelist', 'file', ...before, '-f', demuxers[format] ?? 'mov', '-i', file]
  const options = { encoding: 'buffer', timeout: longestMs, maxBuffer: mostBytes } as const
  return new Promise((resolve, reject) => {
    execFile(ffmpeg, ['-v', 'error', '-nostdin', ...input, ...after, 'pipe:1'], options, (error, bytes) => {
      if (error && isOfSystem(error.code)) reject(error)
      else resolve({ bytes, isWhole: !error })
    })
  })
}

/** Codes such as ENOENT and EACCES come from the system; an exit code or `ERR_…` is caused by the file. */
function isOfSystem(code: unknown): boolean {
  return typeof code === 'string' && /^E(?!RR_)/.test(code)
}
