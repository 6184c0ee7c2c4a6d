import { afterEach, describe, expect, it, vi } from 'vitest'
import { onStop } from '../../src/cli/commands/output.ts'
import { filesIn } from '../../src/emulator/server/tls.ts'
import { shellText } from '../../src/explore/report/report.ts'

describe('what differs between systems', () => {
  it.each([
    ['win32', 'C:\\a\\cert.pem:D:\\a\\key.pem', ['C:\\a\\cert.pem', 'D:\\a\\key.pem']],
    ['win32', 'C:/a/cert.pem:C:/a/key.pem', ['C:/a/cert.pem', 'C:/a/key.pem']],
    ['win32', 'cert.pem:C:\\a\\key.pem', ['cert.pem', 'C:\\a\\key.pem']],
    ['win32', 'C:\\a\\cert.pem:key.pem', ['C:\\a\\cert.pem', 'key.pem']],
    ['win32', '\\\\host\\cert.pem:\\\\host\\key.pem', ['\\\\host\\cert.pem', '\\\\host\\key.pem']],
    ['win32', 'c:k', ['c', 'k']],
    ['linux', 'cert.pem:/etc/key.pem', ['cert.pem', '/etc/key.pem']],
    ['darwin', 'c:/etc/key.pem', ['c', '/etc/key.pem']],
  ] as const)('on %s, --tls %s is read as two files', (platform, mode, files) => {
    expect(filesIn(mode, platform)).toEqual(files)
  })

  it.each([
    ['linux', `node 'my app.js' 'it'\\''s'`],
    ['win32', `node "my app.js" "it's"`],
  ] as const)('a command is quoted for a shell of %s', (platform, text) => {
    expect(shellText(['node', 'my app.js', "it's"], platform)).toBe(text)
  })
})

describe('signals that end a command', () => {
  afterEach(() => vi.restoreAllMocks())

  it.each([
    ['linux', ['SIGTERM', 'SIGINT']],
    ['darwin', ['SIGTERM', 'SIGINT']],
    // Ctrl-Break, and a closed window; on other systems SIGHUP keeps its meaning for nohup.
    ['win32', ['SIGTERM', 'SIGINT', 'SIGBREAK', 'SIGHUP']],
  ] as const)('on %s are %j, and no listener remains afterwards', (platform, signals) => {
    const heard = vi.spyOn(process, 'on').mockReturnThis()
    const unheard = vi.spyOn(process, 'off').mockReturnThis()
    const stop = vi.fn()
    onStop(stop, platform)()
    expect(heard.mock.calls.map(([signal]) => signal)).toEqual(signals)
    expect(new Set(heard.mock.calls.map(([, act]) => act)).size).toBe(1)
    expect(unheard.mock.calls).toEqual(heard.mock.calls)
  })
})
