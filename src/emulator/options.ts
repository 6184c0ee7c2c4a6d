// How the emulator is set up: flags, environment, configuration file and values of them.

export { asUsageError, namedUrl, readOptions, readYaml } from './options/config.ts'
export {
  checkNoWords,
  type FlagRow,
  type FlagRows,
  type FlagsOf,
  readFlags,
  readOnlyFlags,
} from './options/flags.ts'
export {
  choice,
  hint,
  readAt,
  readLogForm,
  readPort,
  readUrl,
  readWorldName,
  time,
  UsageError,
  whole,
} from './options/read-value.ts'
export { type Options, optionRows } from './options/table.ts'
