import { type ExecFileException, execFile } from 'node:child_process'
import { GivenUp, isShortage } from '../errors.ts'
import { childrenSeconds } from '../workers/processor-time.ts'

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
  before: string
  after: string
  /** Processor time; ffmpeg asks the system to stop it then. Not on Windows, which has no such limit. */
  mostSeconds: number
  mostBytes: number
}

/** The standard output of ffmpeg. It is incomplete when ffmpeg failed, used too much processor time or wrote too much. */
export interface Read {
  bytes: Buffer
  end: 'whole' | 'failed' | 'too_much_work'
}

/**
 * Lets ffmpeg read a file. `ffmpeg` is the path of the program.
 * @throws the system's error when the program cannot be started; GivenUp when the system is short of something or ended ffmpeg
 */
export function readWithFfmpeg(ffmpeg: string, reading: Reading): Promise<Read> {
  const { file, format, before, after, mostSeconds, mostBytes } = reading
  const input = `-v error -nostdin -timelimit ${mostSeconds} -protocol_whitelist file ${before} -f ${demuxers[format] ?? 'mov'} -i`
  const options = { encoding: 'buffer', maxBuffer: mostBytes } as const
  const args = [...words(input), file, ...words(after), 'pipe:1']
  const usedBefore = childrenSeconds()
  return new Promise((resolve, reject) => {
    execFile(ffmpeg, args, options, (error, bytes) => {
      if (!error) return resolve({ bytes, end: 'whole' })
      if (isOverLimit(error, childrenSeconds() - usedBefore, mostSeconds))
        return resolve({ bytes, end: 'too_much_work' })
      const fault = faultOf(error)
      if (fault) reject(fault)
      else resolve({ bytes, end: 'failed' })
    })
  })
}

function words(options: string): string[] {
  return options.split(/ +/)
}

/** An error that the file did not cause. Codes such as ENOENT and EACCES come from the system; an exit code or `ERR_…` is caused by the file. */
function faultOf(error: ExecFileException): Error | undefined {
  if (isShortage(error)) return new GivenUp(`ffmpeg could not be started: ${error.message}`)
  if (typeof error.code === 'string' && /^E(?!RR_)/.test(error.code)) return error
  // This process ends it when it has written too much. Nobody else here does so: the system, when memory runs out, or a person.
  const isEndedByOthers =
    typeof error.code !== 'string' && /^SIG(?:KILL|TERM|HUP|INT)$/.test(error.signal ?? '')
  return isEndedByOthers ? new GivenUp(`ffmpeg was ended by ${error.signal} while it read a file`) : undefined
}

/** At the limit the system sends SIGXCPU, which ffmpeg answers with the exit code 255, and a second of work later SIGKILL. */
function isOverLimit({ code, signal }: ExecFileException, usedSeconds: number, mostSeconds: number): boolean {
  return code === 255 || signal === 'SIGXCPU' || (signal === 'SIGKILL' && usedSeconds >= mostSeconds)
}
