// What a page in a browser needs of a report.

export { nameOfRow, type Row, worstFirst } from './judge/row.ts'
export { anchorOf, htmlReport } from './report/html.ts'
export { replayLine, rowsOf, type WrittenReport } from './report/report.ts'
