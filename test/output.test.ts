import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from './support/emulator-process.ts'
import { ownFolder } from './support/folders.ts'
import { freshProgram, root } from './support/fresh-build.ts'
import { plainHar } from './support/plain-har.ts'
import { run } from './support/run.ts'

const folder = ownFolder('output-test')
beforeAll(async () => void (await freshProgram()), 60_000)

/** Runs a line of bash in which `gateway` is the program, with real pipes between the programs. Prints the exit codes of them all last. */
async function shell(line: string) {
  const script = `gateway() { '${process.execPath}' '${join(root, 'dist/main.js')}' "$@"; }; ${line}; echo "codes \${PIPESTATUS[@]}"`
  const { stdout, stderr } = await run('bash', ['-c', script], { env: { PATH: process.env.PATH } })
  const [, text = '', codes = ''] = /^(.*)codes (.*)\n$/s.exec(stdout) ?? []
  return { text, codes, stderr }
}

/** A recording that the emulator contradicts: compare ends with a code of its own. */
function recording(): string {
  const file = join(folder, 'odd.har')
  const headers = [{ name: 'authorization', value: 'Bearer sk-emulator' }]
  writeFileSync(file, plainHar({ request: { headers }, response: { status: 418, content: { text: '{}' } } }))
  return file
}

describe('output to a pipe', () => {
  it.each([['failures', '--json'], ['openapi']])(
    '%s %s arrives whole, beyond the 65,536 bytes that a pipe holds',
    async (...args) => {
      const whole = await runCommand(args)
      expect(whole.stdout.length).toBeGreaterThan(66_000)
      const { text, codes } = await shell(`gateway ${args.join(' ')} | cat`)
      expect([text === whole.stdout, codes]).toEqual([true, '0 0'])
    },
  )

  it.each(['openapi', 'failures --json', 'scenarios list', 'help', 'tour', 'selfcheck --only a.list'])(
    'whose reader leaves at once ends %s quietly with its own code',
    async command => {
      const { codes, stderr } = await shell(`gateway ${command} | true`)
      expect([codes, stderr]).toEqual(['0 0', ''])
    },
  )

  it('openapi | head -1 prints one line and nothing else', async () => {
    expect(await shell('gateway openapi | head -1')).toEqual({ text: '{\n', codes: '0 0', stderr: '' })
  })

  it('compare whose reader leaves keeps the code of its verdict', async () => {
    const file = recording()
    const plain = await runCommand(['compare', file])
    expect(plain.code).toBeGreaterThan(0)
    const { codes, stderr } = await shell(`gateway compare '${file}' | true`)
    expect([codes, stderr]).toEqual([`${plain.code} 0`, ''])
  })

  it('a wrong flag still ends with 2 when nobody reads its message', async () => {
    const { codes } = await shell('{ gateway openapi --contrl 2>&1; echo $? >&3; } 3>&2 | true')
    expect(codes).toMatch(/ 0$/)
    expect((await shell('{ gateway openapi --contrl 2>&1; echo $? >&3; } 3>&2 | true')).stderr).toBe('2\n')
  })

  it.runIf(process.platform === 'linux')('that a full disk refuses ends with 1 and the reason', async () => {
    const { codes, stderr } = await shell('gateway openapi > /dev/full')
    expect(codes).toBe('1')
    expect(stderr).toMatch(/^gateway-emulator: the output could not be written: .*ENOSPC.*\n$/)
  })
})

it('a server whose output nobody reads any more goes on, and ends with 0 at SIGTERM', async () => {
  const script = `
    exec 3< <('${process.execPath}' '${join(root, 'dist/main.js')}' --port 0 --log json & echo "pid $!" >&2; wait $! ; echo "code $?" >&2)
    read -r ready <&3; exec 3<&-
    url=$(echo "$ready" | grep -o 'http://[^"]*'); pid=$(echo "$ready" | grep -o '"pid":[0-9]*' | grep -o '[0-9]*')
    for n in 1 2 3; do curl -s -o /dev/null -w '%{http_code} ' -H 'Authorization: Bearer sk-emulator' $url/api/v3/contents/generations/tasks; done
    curl -s $url/__emulator/health | grep -o '"status":"ok"'
    kill -TERM $pid; while kill -0 $pid 2>/dev/null; do :; done`
  const { stdout, stderr } = await run('bash', ['-c', script], { env: { PATH: process.env.PATH } })
  expect(stdout).toBe('200 200 200 "status":"ok"\n')
  expect(stderr).toContain('code 0')
  expect(stderr).not.toMatch(/EPIPE|Error/)
})

describe.runIf(process.platform === 'linux')('the request log', () => {
  const program = `'${process.execPath}' '${join(root, 'dist/main.js')}' --port 0 --log json`
  /** Ends the process right after its fiftieth reply, when the last lines are still gathered. */
  const crash = join(folder, 'crash.mjs')
  beforeAll(() =>
    writeFileSync(
      crash,
      `import { subscribe } from 'node:diagnostics_channel'
       let replies = 0
       subscribe('http.server.response.finish', () => { if (++replies === 50) throw new Error('crash') })`,
    ),
  )
  const crashing = `NODE_OPTIONS='--import ${crash}'`

  it.each([
    ['a pipe', 'SIGTERM', `${program} | cat`],
    ['a file', 'SIGTERM', program],
    ['a terminal', 'SIGINT', `script -qefc "${program}" /dev/null`],
    ['a pipe', 'an exception that nobody caught', `${crashing} ${program} | cat`],
    ['a file', 'an exception that nobody caught', `${crashing} ${program}`],
  ])('has every line on %s after %s', async (_, end, command) => {
    const script = `
      out=$(mktemp -p '${folder}')
      ${command} > "$out" &
      until grep -q '"ready"' "$out"; do sleep 0.05; done
      url=$(grep -o 'http://[^"]*' "$out" | head -1); pid=$(grep -o '"pid":[0-9]*' "$out" | grep -o '[0-9]*')
      curl -s -o /dev/null -H 'Authorization: Bearer sk-emulator' "$url/api/v3/contents/generations/tasks?page_num=[1-50]"
      ${end.startsWith('SIG') ? `kill -${end.slice(3)} $pid` : ''}
      wait; grep -o 'page_num=[0-9]*' "$out"`
    const { stdout } = await run('bash', ['-c', script], { env: { PATH: process.env.PATH } })
    expect(stdout).toBe(Array.from({ length: 50 }, (_, index) => `page_num=${index + 1}\n`).join(''))
  })
})

it('a tour at an address where nothing answers says what health says', async () => {
  const at = ['--url', 'http://127.0.0.1:9']
  const [tour, health] = await Promise.all([runCommand(['tour', ...at]), runCommand(['health', ...at])])
  expect([tour.code, tour.stderr]).toEqual([1, 'No emulator answers at http://127.0.0.1:9\n'])
  expect(health.stderr).toBe(tour.stderr)
})
