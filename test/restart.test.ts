import { describe, expect, it } from 'vitest'
import { startEmulator } from '../src/index.ts'
import { runCommand, startProcess } from './support/emulator-process.ts'
import { tasksPath, text, textBody } from './support/family-a.ts'
import { ownFolder } from './support/folders.ts'
import { openingTime } from './support/gateway.ts'
import { listening } from './support/input-server.ts'

const small = (changes: Record<string, unknown> = {}) =>
  textBody({ resolution: '480p', duration: 4, ...changes })
const bytesOf = async (url: string, base: string) => {
  const link = new URL(url)
  const reply = await fetch(`${base}${link.pathname}${link.search}`)
  return { status: reply.status, bytes: Buffer.from(await reply.arrayBuffer()) }
}

describe('a restart with --data', () => {
  it('keeps clock, tasks, plans, facts, charges, accounts, assets, downloads, links and files', async () => {
    const dir = ownFolder()
    const options = ['--data', dir, '--clock', 'manual', '--now', openingTime, '--seed', '7']
    const first = await startProcess(options)
    const made = async (tags = '') =>
      (await first.call('POST', tasksPath, small({ content: [text(`${tags} a`)] }))).body.id
    const done = await made()
    const failed = await made('[[fail:InternalServiceError]]')
    await first.call('POST', '/__emulator/clock/advance', { until: 'idle' })
    const cancelled = await made()
    await first.call('DELETE', `${tasksPath}/${cancelled}`)
    const queued = await made('[[queue:10m]]')
    const removed = await made('[[queue:0s]] [[run:0s]]')
    await first.call('DELETE', `${tasksPath}/${removed}`)
    await first.call('PATCH', '/__emulator/accounts/shop', { balance: 25, resolutions: ['480p'] })
    await first.call('POST', tasksPath, small(), 'sk-emulator.shop')
    await first.call('POST', tasksPath, small(), 'sk-test-elsewhere')
    const asset = {
      kind: 'image',
      data: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    }
    expect((await first.call('POST', '/__emulator/assets', asset)).status).toBe(201)
    const record = (await first.call('GET', `${tasksPath}/${done}`)).body
    const file = await bytesOf(record.content.video_url, first.url)
    await bytesOf(record.content.video_url, first.url)

    const paths = [
      '/__emulator/clock',
      '/__emulator/ledger',
      '/__emulator/assets',
      '/__emulator/worlds/elsewhere/ledger',
      ...[done, failed, cancelled, queued, removed].map(id => `/__emulator/tasks/${id}`),
      ...[done, failed, cancelled, queued, removed].map(id => `${tasksPath}/${id}`),
      tasksPath,
    ]
    const everything = async (of: typeof first) => {
      const replies = []
      for (const path of paths) {
        const { status, body } = await of.call('GET', path)
        const told = JSON.stringify(body)
          .replaceAll(/http:\/\/(?:localhost|127\.0\.0\.1):\d+/g, 'BASE')
          .replace(/Request id: \w+/g, '')
        replies.push({ path, status, told })
      }
      return replies
    }
    const before = await everything(first)
    expect((await first.end('SIGTERM')).code).toBe(0)

    const second = await startProcess([...options.slice(0, 2), '--clock', 'manual'])
    expect(await everything(second)).toEqual(before)
    const again = await bytesOf(record.content.video_url, second.url)
    expect(again.status).toBe(200)
    expect(again.bytes.equals(file.bytes)).toBe(true)
    expect((await second.call('GET', `/__emulator/tasks/${done}`)).body.media[0].downloads).toBe(3)
    // The account keeps its group and the rest of its balance.
    expect((await second.call('POST', tasksPath, textBody(), 'sk-emulator.shop')).body.error.param).toBe(
      'resolution',
    )
    // Plans continue, and new ids do not repeat old ones.
    const { body } = await second.call('POST', '/__emulator/clock/advance', { until: 'idle' })
    expect(body.events.map(({ task_id }: { task_id: string }) => task_id)).toContain(queued)
    expect((await second.call('GET', `${tasksPath}/${queued}`)).body.status).toBe('succeeded')
    const more = (await second.call('POST', tasksPath, small())).body.id
    expect([done, failed, cancelled, queued, removed]).not.toContain(more)
    expect((await second.end('SIGTERM')).code).toBe(0)
  })

  it('random numbers are not repeated after requests that stored nothing', async () => {
    const dir = ownFolder()
    const options = ['--data', dir, '--clock', 'manual', '--now', openingTime]
    const first = await startProcess(options)
    const { id } = (await first.call('POST', tasksPath, small())).body
    const latency = { p50: '1ms', p99: '2ms' }
    // biome-ignore lint/suspicious/noThenProperty: the word of the scenario language, never awaited
    const rules = [{ when: { operation: 'a.get' }, then: { connection: { latency } } }]
    await first.call('POST', '/__emulator/scenarios', { name: 'slow-polls', rules })
    for (let polls = 0; polls < 3; polls++) await first.call('GET', `${tasksPath}/${id}`)
    const { draws } = (await first.call('GET', '/__emulator/state')).body.state.head
    expect(draws['rule slow-polls/1']).toBe(3)
    await first.end('SIGKILL')
    const second = await startProcess(options)
    expect((await second.call('GET', '/__emulator/state')).body.state.head.draws).toEqual(draws)
  })

  it('without --data nothing is kept', async () => {
    const first = await startProcess([])
    await first.call('POST', tasksPath, small())
    await first.end('SIGTERM')
    const second = await startProcess([])
    expect((await second.call('GET', tasksPath)).body).toEqual({ items: [], total: 0 })
  })
})

// The limit of two seconds is a deadline inside the program, tested in test/unit/closing.test.ts.
describe('the end of a process', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    '%s ends it with exit code 0 while a client keeps an idle connection open',
    async signal => {
      const emulator = await startProcess([])
      await emulator.call('POST', tasksPath, small())
      const idle = await fetch(`${emulator.url}/__emulator/health`)
      await idle.text()
      const { code, stderr } = await emulator.end(signal)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    },
  )

  it('a port that is in use gives exit code 1 and a message', async () => {
    const { port, close } = await listening(() => undefined)
    const { code, stderr } = await runCommand(['--port', String(port)])
    await close()
    expect([code, stderr]).toEqual([1, expect.stringMatching(/EADDRINUSE|taken|in use/)])
    expect(stderr).toContain(String(port))
    expect(stderr).not.toContain('    at ')
  })

  it('an emulator in code that could not start unlocks its directory', async () => {
    const dataDir = ownFolder()
    const other = await startEmulator()
    const port = Number(new URL(other.url).port)
    await expect(startEmulator({ dataDir, port })).rejects.toThrow(`Port ${port} of 127.0.0.1 is taken`)
    await expect(startEmulator({ dataDir, scenarios: ['happy-pth'] })).rejects.toThrow('happy-pth')
    await other.close()
    const emulator = await startEmulator({ dataDir })
    expect((await emulator.health()).status).toBe('ok')
    await emulator.close()
  })

  it('a second process with the same directory gives exit code 1 and the id of the first', async () => {
    const dir = ownFolder()
    const first = await startProcess(['--data', dir])
    const { code, stderr } = await runCommand(['--port', '0', '--data', dir])
    expect([code, stderr]).toEqual([1, expect.stringContaining(dir)])
    expect(stderr).toContain(String(first.pid))
    expect(stderr).not.toContain('    at ')
    expect((await first.call('GET', '/__emulator/health')).status).toBe(200)
  })
})
