// How the emulator is set up: flags, environment, configuration file and values of them.

export { namedUrl, optionFlags, readOptions, readYaml } from './options/config.ts'
export {
  checkNoWords,
  choice,
  type FlagRows,
  type FlagsOf,
  hint,
  readAt,
  readFlags,
  readLogForm,
  readOnlyFlags,
  readPort,
  readUrl,
  readWorldName,
  time,
  UsageError,
  whole,
} from './options/flags.ts'
export { type Options, optionRows } from './options/table.ts'
