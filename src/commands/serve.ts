import { readOptions } from '../options/config.ts'
import { checkNoWords } from '../options/flags.ts'
import { packageVersion } from '../package/files.ts'
import { listen } from '../server/emulator.ts'
import { assembleForCommand } from './assemble.ts'
import { onStop } from './stopped.ts'

/** Serves until SIGTERM or SIGINT. */
export async function run(args: string[]): Promise<number> {
  const { options, rest } = readOptions(args, process.env, { requestLog: true })
  checkNoWords(rest)
  const listening = await listen(await assembleForCommand(options))
  const stopped = new Promise<void>(resolve => {
    onStop(resolve)
  })
  announce(options.log, listening.url)
  await stopped
  await listening.close()
  return 0
}

function announce(form: 'pretty' | 'json' | 'silent', url: string): void {
  const version = packageVersion()
  if (form === 'silent') return
  if (form === 'json') {
    process.stdout.write(`${JSON.stringify({ event: 'ready', url, pid: process.pid, version })}\n`)
    return
  }
  process.stdout.write(`Generation Gateway emulator ${version} is ready at ${url}

  Keys      sk-emulator          the default world
            sk-test-<world>      a world of your own, made on first use
            sk-test-<world>.<account>

  Try       curl -s ${url}/api/v3/contents/generations/tasks \\
              -H 'Authorization: Bearer sk-emulator' -H 'Content-Type: application/json' \\
              -d '{"model":"model_a_25","content":[{"type":"text","text":"a lighthouse at dawn"}],"duration":5}'

  Console   ${url}/__emulator/
  Guide     ${url}/__emulator/guide
  Control   ${url}/__emulator/health
`)
}
