import { nameOfRow, type Row } from '../judge/row.ts'
import type { ReportData } from './report.ts'
import { shellText } from './shell-text.ts'

/** The command that plays a case again. */
export function replayLine(
  { command = 'COMMAND', replay = '' }: Pick<ReportData, 'command' | 'replay'>,
  row: Row,
): string {
  const [single = ''] = nameOfRow(row).split(' + ')
  const pairs = row.and === undefined ? '' : ` --only ${shellText([row.and])} --pairs`
  const options = replay === '' ? '' : ` ${replay}`
  return `gateway-emulator explore${options} --only ${shellText([single])}${pairs} -- ${command}`
}
