import { hint, readFlags, UsageError } from '../../emulator/options.ts'
import { learnConfig } from '../../evidence/recordings.ts'
import { readRecording } from './compare.ts'

/** `config from-recording FILE.har`: prints a file for `--config`. Comments in it say how to set the rights of accounts. */
export async function run(args: string[]): Promise<number> {
  const [what, file, ...rest] = readFlags(args, {}).words
  if (what !== 'from-recording')
    throw new UsageError(
      `config needs from-recording, not ${what ?? 'nothing'}${hint(what ?? '', ['from-recording'])}`,
    )
  if (file === undefined || rest.length > 0) throw new UsageError('config from-recording needs one FILE.har')
  const { settings, accounts } = learnConfig(await readRecording(file))
  const { stringify } = await import('yaml')
  const head = `# Settings found in ${file.split(/[\\/]/).at(-1)}. Use this file with --config.\n`
  const body =
    Object.keys(settings).length > 0
      ? stringify(settings)
      : '# The recording shows no difference from the standard settings.\n'
  const rights = Object.entries(accounts).map(([key, rights]) => {
    const account = key === 'key-1' ? 'default' : key
    return `# ${key}: curl -X PATCH $URL/__emulator/accounts/${account} -H 'Content-Type: application/json' -d '${JSON.stringify(rights)}'\n`
  })
  const remarks = rights.length > 0 ? `# Rights of accounts are set while it runs:\n${rights.join('')}` : ''
  process.stdout.write(head + body + remarks)
  return 0
}
