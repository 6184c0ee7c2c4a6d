// Recordings of a gateway: written, read, replayed, compared.

export {
  emptyRecording,
  HarError,
  type HarFile,
  openHarFile,
  type Recording,
  readHarFile,
  recordingText,
} from './recordings/har.ts'
export { compareRecording } from './recordings/judge/compare-recording.ts'
export {
  type ComparedRow,
  type Comparison,
  comparisonOf,
  type Difference,
  exitCode,
  type Ignore,
  readIgnore,
} from './recordings/judge/comparison.ts'
export { type ReportForm, report, reportForms } from './recordings/judge/report.ts'
export { learnConfig, learnScenario } from './recordings/learn.ts'
export { type ReadRecording, readSteps } from './recordings/read/steps.ts'
export { recordedEntries } from './recordings/record/journal-har.ts'
export { startRecorder } from './recordings/record/recorder.ts'
export { createRedactor } from './recordings/redact/redactor.ts'
export { emulatorForReplays } from './recordings/replay/ask-emulator.ts'
