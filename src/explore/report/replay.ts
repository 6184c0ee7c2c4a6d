import { installedCommand } from '../../emulator/words.ts'
import { nameOfRow, type Row } from '../judge/row.ts'
import type { ReportData } from './report.ts'

/** The command that plays a case again. */
export function replayLine(
  { command, replay = '', services }: Pick<ReportData, 'command' | 'replay' | 'services'>,
  row: Row,
): string {
  const [single = ''] = nameOfRow(row).split(' + ')
  const pairs = row.and === undefined ? '' : ` --only ${shellText([row.and])} --pairs`
  const options = replay === '' ? '' : ` ${replay}`
  // A file says what a system is driven by.
  const what = command === undefined && services ? '' : ` -- ${command ?? 'COMMAND'}`
  return `${installedCommand} explore${options} --only ${shellText([single])}${pairs}${what}`
}

/** Words quoted for a shell: in single quotes for POSIX shells, in double quotes for those of Windows. */
export function shellText(
  words: readonly string[],
  platform: NodeJS.Platform = globalThis.process?.platform ?? 'linux',
): string {
  return words.map(word => (isPlain(word) ? word : quoted(word, platform))).join(' ')
}

function isPlain(word: string): boolean {
  return /^[\w@%+=:,./-]+$/.test(word)
}

function quoted(word: string, platform: NodeJS.Platform): string {
  return platform === 'win32' ? `"${word.replaceAll('"', '\\"')}"` : `'${word.replaceAll("'", "'\\''")}'`
}
