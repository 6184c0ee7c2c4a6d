import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownFolder } from './folders.ts'

/** A web service that lists tasks for each request, and refuses as it is refused. Its key and address are those of `--env`. */
const web = `import { createServer } from 'node:http'
const { LIST_URL, LIST_KEY } = process.env
createServer(async (request, response) => {
  const reply = await fetch(LIST_URL, { headers: { Authorization: 'Bearer ' + LIST_KEY } }).catch(() => undefined)
  response.writeHead(reply?.status ?? 502).end()
}).listen(Number(process.env.PORT), '127.0.0.1')
`
/** Needs what was prepared. A service that is away is asked once more after a second. */
const driver = `import { readFileSync } from 'node:fs'
import { join } from 'node:path'
readFileSync(join(process.env.GATEWAY_EMULATOR_STATE, 'prepared'))
const ask = () => fetch(process.env.WEB_URL)
const reply = await ask().catch(() => new Promise(resolve => setTimeout(resolve, 1000)).then(ask))
if (reply.ok) process.exit()
console.error('the page shows', reply.status)
process.exit(1)
`
const prepare = `import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
writeFileSync(join(process.env.GATEWAY_EMULATOR_STATE, 'prepared'), '')
appendFileSync(process.argv[2], process.env.GATEWAY_EMULATOR_STATE + '\\n')
`

/** A system of a web service and its driver, in a folder of its own. `env` is what its service needs besides. */
export function listingSystem() {
  const folder = ownFolder('listing-system')
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const log = file('prepared.log', '')
  file('web.mjs', web)
  file('drive.mjs', driver)
  file('prepare.mjs', prepare)
  const system = file(
    'system.yaml',
    `services:
  web:
    command: node web.mjs
    environment: { PORT: "{port.web}" }
    ready: tcp
prepare: node prepare.mjs ${log}
driver: { command: node drive.mjs, environment: { WEB_URL: "http://127.0.0.1:{port.web}" } }
`,
  )
  return {
    system,
    env: { LIST_URL: '{url}/api/v3/contents/generations/tasks', LIST_KEY: '{key}' },
    /** The folders that were prepared. */
    prepared: () => readFileSync(log, 'utf8').split('\n').slice(0, -1),
  }
}
