// What a page in a browser needs of a report.

export { causeText } from './judge/causes.ts'
export { callerOf, type LifeRow, nameOfRow, type Row, worstFirst } from './judge/row.ts'
export { possibleVerdicts } from './judge/verdicts.ts'
export { patienceLines } from './patience/words.ts'
export { gridOf, signs } from './report/matrix.ts'
export { notesOf } from './report/notes.ts'
export { type Lane, lanesOf } from './report/process-lanes.ts'
export { replayLine } from './report/replay.ts'
export { type Report, rowsOf, subjectText, summaryOf, timeLine } from './report/report.ts'
export { billText } from './report/totals.ts'
