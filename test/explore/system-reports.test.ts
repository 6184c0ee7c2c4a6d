import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { logOf } from '../../src/explore/judge/written.ts'
import { htmlReport } from '../../src/explore/report/html.ts'
import { reportOf } from '../../src/explore/report/report.ts'
import { reportFor } from '../../src/explore/report/reports.ts'
import { runCommand } from '../support/emulator-process.ts'
import { writtenFiles } from '../support/written-files.ts'

const { folder, written } = writtenFiles('explore-system-reports-')

/** A service that asks the gateway for so many of its tasks when it is asked, and answers as it was answered, or with a third argument by 200. */
const asking = written(
  'asking.mjs',
  `import { createServer } from 'node:http'
const { GATEWAY_EMULATOR_URL: url, GATEWAY_EMULATOR_KEY: key } = process.env
createServer(async (_, response) => {
  const reply = await fetch(url + '/api/v3/contents/generations/tasks?page_size=' + process.argv[3], { headers: { Authorization: 'Bearer ' + key } })
  await reply.arrayBuffer()
  response.writeHead(process.argv[4] ? 200 : reply.status).end()
}).listen(Number(process.argv[2]), '127.0.0.1')
`,
)
const driver = written(
  'drive.mjs',
  `for (const port of process.argv.slice(2)) {
  const reply = await fetch('http://127.0.0.1:' + port)
  if (!reply.ok) { console.error('refused with', reply.status); process.exit(1) }
}
`,
)
const services = ['web', 'worker'].map(
  (name, i) => `  ${name}:\n    command: node ${asking} {port.${name}} ${i + 1}\n    ready: tcp\n`,
)
/** Two services of which the driver asks one after the other. */
const asked = `services:\n${services.join('')}driver: node ${driver} {port.web} {port.worker}\n`

/** Explores a system and returns what it printed and the files of its report. */
async function explored(name: string, system: string, ...args: string[]) {
  const out = join(folder, name)
  const file = written(`${name}.yaml`, system)
  const { stdout, stderr } = await runCommand(['explore', '--system', file, '--out', out, ...args])
  return { stdout, stderr, text: (file: string) => readFileSync(join(out, file), 'utf8') }
}

it('every form of a report names the service of each call', async () => {
  const { stdout, stderr, text } = await explored('asked', asked, '--only', 'unavailable')
  expect(stdout, stderr).toMatch(/^a\.list#1 {2}web {4}·$/m)
  expect(stdout).toMatch(/^a\.list#2 {2}worker ·$/m)
  const { causes: _, problems: __, warnings: ___, ...data } = JSON.parse(text('report.json'))
  const { cases } = data
  expect(cases.map(({ service }: { service: string }) => service)).toEqual(['web', 'worker'])
  const named = text('junit.xml').match(/(?<=<property name="service" value=").*?(?=")/g)
  expect(named).toEqual(['web', 'worker'])
  const html = text('report.html')
  expect(html).toContain('<th scope="row">a.list#2 <span class="service">worker</span></th>')
  expect(html).toContain('A system of web, worker')
  const [first] = cases
  const failed = { ...first, verdict: 'crashed', level: 'problem', cause: { title: 'ended', where: null } }
  const report = reportOf({ ...data, cases: [failed] })
  for (const reporter of ['pretty', 'markdown', 'github', 'sarif'] as const)
    expect(reportFor(report, { reporter, isTerminal: false })).toMatch(/a\.list#1 unavailable`? \(web\)/)
  expect(first.requests).toEqual([expect.stringMatching(/^web: GET .* -> 503/)])
  expect(first.system.calls).toMatchObject([{ operation: 'a.list', nth: 1, service: 'web', status: 503 }])
  const [ofFirst = ''] = html.split(' class="case">').slice(1)
  expect(ofFirst.match(/(?<=<span class="lane-name">).*?(?=<)/g)).toEqual(['web'])
})

it('a report names the service whose calls the gateway refuses undisturbed (`undisturbed_refusals`)', async () => {
  const careless = asked.replace('{port.worker} 2\n', '{port.worker} 999 careless\n')
  const { stdout, stderr, text } = await explored('careless', careless, '--only', 'a.list#1 unavailable')
  expect(stdout, stderr).toMatch(/also undisturbed, a\.list of worker was refused with 400: /)
  expect(JSON.parse(text('report.json')).undisturbed_refusals).toEqual([
    {
      operation: 'a.list',
      service: 'worker',
      status: 400,
      said: expect.stringContaining('page_size'),
      times: 1,
    },
  ])
})

it('a report says in how many runs time went as fast as wall time, for how long, and for which programs (docs/explore.md, "Time")', async () => {
  const { text } = await explored('paced', asked, '--only', 'unavailable')
  const { causes: _, problems: __, warnings: ___, ...data } = JSON.parse(text('report.json'))
  const [first, second] = data.cases
  const [long, short] = [45_000, 900].map(ms => ({ wall_pace: { ms, programs: ['pg', 'sleep'] } }))
  const all = [
    { ...first, ...long },
    { ...second, ...long },
    { ...second, ...short },
  ]
  const expected =
    'In 2 of the runs shown time went as fast as wall time for 90.0 s, for pg, sleep, which did not follow the clock.'
  for (const reporter of ['pretty', 'markdown'] as const) {
    const reportOn = (cases: typeof all) =>
      reportFor(reportOf({ ...data, cases }), { reporter, isTerminal: false })
    expect(reportOn(all)).toContain(expected)
    expect(reportOn([{ ...second, ...short }])).not.toContain('as fast as')
    const unseen = [{ ...first, wall_pace: { ms: 1000, programs: [] } }]
    expect(reportOn(unseen)).toContain('for 1.0 s, for programs that cannot be seen, which')
  }
})

it('a report names the first twelve of many cases that were played once, and what to type as code (docs/explore.md, "What it says")', async () => {
  const { text } = await explored('noted', asked, '--only', 'a.list#1 unavailable')
  const { causes: _, problems: __, warnings: ___, ...data } = JSON.parse(text('report.json'))
  const names = Array.from({ length: 14 }, (_, i) => `a.list#${i + 1} unavailable`)
  const not_tried = names.map(what => ({ kind: 'case', what, reason: 'no time was left' }))
  const report = reportOf({ ...data, played_once: names, on_the_wall: ['store'], not_tried })
  const pretty = reportFor(report, { reporter: 'pretty', isTerminal: false })
  const first = `${names.slice(0, 12).join(', ')}, and 2 more`
  expect(pretty).toContain(`because no time was left: ${first}.`)
  expect(pretty).toContain(`Not tried:\n  no time was left: ${first}\n`)
  expect(JSON.parse(reportFor(report, { reporter: 'json', isTerminal: false })).played_once).toEqual(names)
  expect(pretty).toContain('`--time real` plays')
  expect(htmlReport(report, { style: '' })).toContain('; <code>--time real</code> plays')
})

it('the log of a row leaves out what a part beside wrote, also when explore killed it', async () => {
  const beside = written(
    'store.mjs',
    `import { createServer } from 'node:net'
console.log('the banner of a store')
createServer(socket => socket.end()).listen(Number(process.argv[2]), '127.0.0.1')
`,
  )
  const store = `  store:\n    command: node ${beside} {port.store}\n    ready: tcp\n    beside: true\n`
  const system = asked.replace('services:\n', `services:\n${store}`)
  const told = await explored('beside', system, '--only', 'a.list#1 unavailable')
  expect(JSON.parse(told.text('report.json')).cases, told.stderr).toMatchObject([
    { log: 'driver | refused with 503' },
  ])
  const killed = await explored('killed', system, '--kill', 'store', '--only', 'a.list#1 killed_before')
  const { restarts } = JSON.parse(killed.text('report.json'))
  expect(restarts, killed.stderr).toMatchObject([{ system: { killed: 'store' } }])
  expect(restarts[0].log).not.toContain('banner')
})

it('the log of a row has the end of a part beside that ended by itself', () => {
  const store = { name: 'store', output: 'no space left\n', errors: '', isBeside: true }
  const web = { name: 'web', output: 'listening\n', errors: '', isBeside: false }
  const system = { parts: [store, web], ended: [], untied: [] }
  const exit = { kind: 'ended' as const, code: 1 }
  expect(logOf({ output: 'refused\n', system })).toBe('driver | refused\nweb | listening')
  expect(logOf({ output: 'refused\n', system: { ...system, ended: [{ ...store, exit }] } })).toBe(
    'driver | refused\nstore | no space left\nweb | listening',
  )
})

it('a call that another service makes, too, is tried at both', async () => {
  const same = asked.replace('{port.worker} 2', '{port.worker} 1')
  expect(same).not.toBe(asked)
  const { stderr, text } = await explored('same', same, '--only', 'unavailable')
  const { cases, not_tried } = JSON.parse(text('report.json'))
  expect(cases, stderr).toMatchObject([
    { nth: 1, service: 'web' },
    { nth: 2, service: 'worker' },
  ])
  expect(not_tried).toEqual([])
})
