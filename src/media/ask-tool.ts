import { stat } from 'node:fs/promises'
import { runBriefly } from './workers/run-briefly.ts'

const encoders = {
  libx264: 'libx264',
  libx265: 'libx265',
  aac: 'aac',
  mp3: 'libmp3lame',
  prores: 'prores_ks',
  vp9: 'libvpx-vp9',
} as const

export type Ability = keyof typeof encoders

/** What an ffmpeg says about itself. */
export interface ToolAnswer {
  version: string
  /** The last year of its copyright, which is the year of its sources; undefined when it names none. */
  year?: string
  /** The codecs that the program can write: libx264, libx265, aac, mp3, … */
  can: Readonly<Record<Ability, boolean>>
}

/** The answers of this process, by path. An answer is valid while the file of the program does not change. */
const answers = new Map<string, { file: string; answer: Promise<ToolAnswer> }>()

/**
 * Asks the ffmpeg at a path for its version and abilities. A program is asked once, and again when its file was replaced or
 * after a failure; a bare name, which is looked up on the PATH, is asked each time.
 * @throws the error of starting the program, or an error that says that it is not ffmpeg
 */
export async function askTool(path: string): Promise<ToolAnswer> {
  const file = await identityOf(path)
  if (file === undefined) return await ask(path)
  const known = answers.get(path)
  if (known?.file === file) return await known.answer
  const answer = ask(path)
  answers.set(path, { file, answer })
  answer.catch(() => answers.get(path)?.answer === answer && answers.delete(path))
  return await answer
}

/** Changes whenever the file is written or replaced. */
async function identityOf(path: string): Promise<string | undefined> {
  if (!/[/\\]/.test(path)) return undefined
  const found = await stat(path).catch(() => undefined)
  return found && `${found.dev} ${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}`
}

async function ask(path: string): Promise<ToolAnswer> {
  const { stdout, stderr } = await runBriefly(path, ['-encoders'])
  // The version is in the banner above the list, unless the program is called through a script that hides the banner.
  const banner =
    bannerIn(stderr) ?? bannerIn(stdout) ?? bannerIn((await runBriefly(path, ['-version'])).stdout)
  if (banner === undefined) throw new Error('it does not look like ffmpeg')
  return { ...banner, can: abilities(stdout) }
}

function bannerIn(text: string): Pick<ToolAnswer, 'version' | 'year'> | undefined {
  const [, version, rest = ''] = text.match(/^\w+ version (\S+)(.*)/m) ?? []
  const [, year] = /Copyright .*\b(\d{4})\b/.exec(rest) ?? []
  return version === undefined ? undefined : { version, ...(year !== undefined && { year }) }
}

function abilities(list: string): ToolAnswer['can'] {
  const has = (ability: Ability): boolean => new RegExp(`^ [VA]\\S* ${encoders[ability]} `, 'm').test(list)
  return {
    libx264: has('libx264'),
    libx265: has('libx265'),
    aac: has('aac'),
    mp3: has('mp3'),
    prores: has('prores'),
    vp9: has('vp9'),
  }
}
