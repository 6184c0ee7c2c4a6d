import type { Services } from '../../emulator/gateway.ts'
import { packageVersion } from '../../emulator/ground.ts'
import { checkNoWords, type Options, readOptions } from '../../emulator/options.ts'
import { assembleEmulator, listen, ownStandardOutput } from '../../emulator/server.ts'
import { ffmpegFault } from '../../media/index.ts'
import { whenStopped } from './output.ts'

/** Serves until SIGTERM or SIGINT. */
export async function run(args: string[]): Promise<number> {
  const { options, rest, given } = readOptions(args, { requestLog: true })
  checkNoWords(rest)
  const listening = await listen(await assembleEmulator({ ...options, requestLines: ownStandardOutput }))
  const stopped = whenStopped()
  announce(options, listening.url)
  // Without a terminal a program may read the line of JSON; a person who asked for no form reads this one beside it.
  if (options.log === 'json' && !given.has('log')) process.stderr.write(greeting(listening.url, options))
  void warnOfFfmpeg(listening.emulator.services)
  await stopped
  await listening.close()
  return 0
}

/** Warns at the start of a configured ffmpeg that does not run, and when the installation has left out the one of the package. */
async function warnOfFfmpeg({ options, log }: Services): Promise<void> {
  const fault = await ffmpegFault(options.ffmpegPath)
  if (fault !== undefined) log.info({ warning: 'ffmpeg' }, `${fault} Videos cannot be made.`)
}

function announce(options: Options, url: string): void {
  const { log: form } = options
  if (form === 'silent') return
  const event = { event: 'ready', url, pid: process.pid, version: packageVersion() }
  process.stdout.write(form === 'json' ? `${JSON.stringify(event)}\n` : greeting(url, options))
}

/** Keys, a request to paste that shows the whole life of a task, and where to look. */
export function greeting(url: string, { tls }: Pick<Options, 'tls'>): string {
  // A certificate that was made here or by the user may be unknown to curl.
  const curl = tls === undefined ? 'curl -s' : 'curl -sk'
  const post = `${curl} ${url}`
  const json = "-H 'Content-Type: application/json'"
  return `Generation Gateway emulator ${packageVersion()} is ready at ${url}

  Keys      sk-emulator          the default world
            sk-test-<world>      a world of your own, made on first use
            sk-test-<world>.<account>, and <key>:<label> for another key of an account

  Try       ${post}/api/v3/contents/generations/tasks \\
              -H 'Authorization: Bearer sk-emulator' ${json} \\
              -d '{"model":"model_a_25","content":[{"type":"text","text":"a lighthouse at dawn"}],"duration":5}'
            ${post}/__emulator/clock/advance ${json} -d '{"until":"idle"}'   # the task ends now

  Console   ${url}/__emulator/
  Demo      ${url}/__emulator/demo
  Guide     ${url}/__emulator/guide
  Control   ${url}/__emulator/health
${tls === 'self' ? `  Trust     ${curl} -o gateway.pem ${url}/__emulator/certificate.pem   # then NODE_EXTRA_CA_CERTS, curl --cacert, verify=\n` : ''}`
}
