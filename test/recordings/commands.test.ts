import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run as compare } from '../../src/cli/commands/compare.ts'
import { run as config } from '../../src/cli/commands/config.ts'
import { run as scenarios } from '../../src/cli/commands/scenarios.ts'
import { run as selfcheck } from '../../src/cli/commands/selfcheck.ts'
import { UsageError } from '../../src/emulator/options/flags.ts'
import { escaped } from '../../src/emulator/words.ts'
import { readConfirmations } from '../../src/evidence/spec/assumptions.ts'
import { ownFolder } from '../support/folders.ts'
import { openGateway } from '../support/gateway.ts'
import { harProblems } from '../support/har-schema.ts'
import { journeyWorld, legs, traveller, video } from '../support/journey.ts'
import { plainHar } from '../support/plain-har.ts'
import { printed } from '../support/printed.ts'
import { recordAt } from '../support/recorder.ts'

const folder = ownFolder('recordings')
const gateway = await openGateway({ strict: false })

async function made(
  name: string,
  chosen: (keyof typeof legs)[],
  more = async (_url: string) => {},
): Promise<string> {
  const recorder = await recordAt(gateway.url)
  for (const leg of chosen) await legs[leg]?.(traveller(gateway, recorder.url, 0))
  await more(recorder.url)
  await recorder.close()
  const path = join(folder, name)
  writeFileSync(path, readFileSync(recorder.path))
  return path
}

const file = await made('journey.har', ['a failure', 'a cancelled', 'b failure and refusals', 'a refusals'])

/** The same recording with one thing in its replies changed. */
function changed(name: string, from: RegExp, to: string): string {
  const text = readFileSync(file, 'utf8')
  expect(text).toMatch(from)
  const path = join(folder, name)
  writeFileSync(path, text.replaceAll(from, to))
  return path
}

describe('gateway-emulator compare', () => {
  it('exits with 0 when the replies are equal, and lists the confirmed rows (docs/recordings.md, "Compare")', async () => {
    const { code, text } = await printed(compare, [file])
    expect(code, text).toBe(0)
    expect(text).toMatch(/^confirmed +a\.create\.resolution-4k-25 \(\d+\)$/m)
    expect(text).toMatch(/^confirmed +A-flags \(\d+\): execution_expires_after$/m)
    const markdown = await printed(compare, [file, '--report', 'markdown'])
    expect(markdown.text).toMatch(/^- `A-flags`: execution_expires_after\. How are /m)
    expect(text).toMatch(/Made again: requests \d+, jobs \d+.* 0 contradicted/)
  })

  it('writes the confirmed rows to a file, for the table of assumptions (docs/recordings.md, "Compare")', async () => {
    const confirmed = ownFolder('confirmed')
    expect(readConfirmations(join(confirmed, 'none'))).toEqual({})
    await printed(compare, [file, '--confirm', join(confirmed, 'one.json')])
    const later = { at: '2999-01-01T00:00:00Z', recording: 'later.har', rows: ['A-delete'] }
    writeFileSync(join(confirmed, 'two.json'), JSON.stringify(later))
    const read = readConfirmations(confirmed)
    expect(read['a.create.resolution-4k-25']).toEqual({
      at: expect.stringMatching(/^2026-03-01T08:00:00/),
      recording: 'journey.har',
    })
    expect(read['A-delete']).toEqual({ at: later.at, recording: 'later.har' })
    expect(read['A-usage']).toBeUndefined()
    writeFileSync(join(confirmed, 'wrong.json'), '{}')
    expect(() => readConfirmations(confirmed)).toThrow('wrong.json')
    const { body } = await gateway.control('GET', '/assumptions')
    expect(body.items[0]).toMatchObject({ confirmed: null, last_confirmed: 'never' })
  })

  it('also compares with a running emulator', async () => {
    expect((await printed(compare, [file, '--base-url', gateway.url])).code).toBe(0)
  })

  it('exits with 1 when a row is contradicted, and reports both values and the request in every form', async () => {
    const bad = changed('bad.har', /InvalidParameter\.UnknownModel/g, 'ModelNotFound')
    const pretty = await printed(compare, [bad])
    expect(pretty.code).toBe(1)
    expect(pretty.text).toMatch(
      /contradicted {2}A-unknown-model.*\n.*"ModelNotFound".*"InvalidParameter\.UnknownModel"/,
    )
    const json = JSON.parse((await printed(compare, [bad, '--report', 'json'])).text)
    const row = json.rows.find(({ id }: { id: string }) => id === 'A-unknown-model')
    expect(row).toMatchObject({
      status: 'contradicted',
      kind: 'assumption',
      differences: [
        { path: 'error.code', recorded: 'ModelNotFound', emulated: 'InvalidParameter.UnknownModel' },
      ],
    })
    const request = String(row.differences[0].request)
    expect(request).toMatch(/^#\d+ POST /)
    expect(json.rows.map(({ status }: { status: string }) => status)).toEqual(
      expect.arrayContaining(['confirmed', 'not seen']),
    )
    const markdown = await printed(compare, [bad, '--report', 'markdown'])
    expect(markdown.text).toContain('| `A-unknown-model` | error.code is "ModelNotFound" in the recording')
    const junit = await printed(compare, [bad, '--report=junit'])
    expect(junit.text).toMatch(/<testcase classname="recordings" name="A-unknown-model"><failure/)
    for (const { text } of [pretty, markdown, junit])
      for (const part of ['ModelNotFound', 'InvalidParameter.UnknownModel', request])
        expect(text).toContain(part)
    const ignore = join(folder, 'ignore.txt')
    writeFileSync(ignore, '# known\na.create error.code\n')
    expect((await printed(compare, [bad, '--ignore', ignore])).code).toBe(0)
    writeFileSync(ignore, 'A-unknown-model\n')
    expect((await printed(compare, [bad, '--ignore', ignore])).code).toBe(0)
  })

  it('exits with 4 when the only difference is a field of no row, unless --fail-on says otherwise', async () => {
    const more = changed(
      'more.har',
      /\\"execution_expires_after\\":/g,
      '\\"service_level\\":\\"gold\\",\\"execution_expires_after\\":',
    )
    const { code, text } = await printed(compare, [more])
    expect([code, text]).toEqual([4, expect.stringContaining('no row claims')])
    expect(text).toContain('the reply has a field `service_level`')
    expect((await printed(compare, [more, '--fail-on', 'changed'])).code).toBe(0)
  })

  it('exits with 1 for a recording without requests, because nothing was compared (docs/recordings.md, "Compare")', async () => {
    const none = join(folder, 'none.har')
    writeFileSync(none, plainHar())
    expect(await printed(compare, [none])).toEqual({ code: 1, text: 'Nothing was compared.\n' })
  })

  it('refuses a HAR file of another program and a file of another kind (exit 2)', async () => {
    const other = join(folder, 'other.har')
    writeFileSync(other, plainHar({ request: { url: 'https://example.com/' } }))
    await expect(compare([other])).rejects.toThrow(/none of its 1 entries is a call of the API/)
    writeFileSync(other, 'GIF89a')
    await expect(compare([other])).rejects.toThrow(/is not a HAR file/)
    writeFileSync(other, JSON.stringify({ log: { entries: [{}] } }))
    await expect(compare([other])).rejects.toThrow(/log\.entries\[0\]/)
    await expect(compare([join(folder, 'absent.har')])).rejects.toThrow(/absent\.har: there is no such file/)
    await expect(compare([folder])).rejects.toThrow(/it is a folder/)
    writeFileSync(other, '')
    await expect(compare([other])).rejects.toThrow(/is not a HAR file: it is empty/)
  })

  it.each([
    [[], 'FILE.har'],
    [['x.har', '--report', 'html'], 'pretty, json, markdown, junit'],
    [['x.har', '--fail-on', 'all'], 'changed, unknown'],
    [['x.har', '--base-ur', 'x'], '--base-url'],
    [['x.har', '-x'], 'Unknown option -x'],
    [['x.har', '--ignore'], '--ignore needs a value'],
    [['x.har', '--base-url', 'here'], '--base-url: "here"'],
  ])('%j is wrong usage and says %s', async (args, said) => {
    const ended = compare(args)
    await expect(ended).rejects.toThrow(UsageError)
    await expect(ended).rejects.toThrow(said)
  })
})

describe('selfcheck and recordings', () => {
  it('records the requests of its rules, and comparing the recording offline shows no difference (docs/recordings.md)', async () => {
    const out = join(folder, 'selfcheck.har')
    const only = ['--only', 'special', '--record', out]
    const checked = await printed(selfcheck, ['--base-url', gateway.url, ...only])
    expect(checked.code, checked.text).toBe(0)
    const recording = JSON.parse(readFileSync(out, 'utf8'))
    expect(harProblems(recording)).toEqual([])
    expect(recording.log.entries.length).toBeGreaterThan(10)
    const offline = await printed(selfcheck, ['--recording', out])
    expect(offline.code, offline.text).toBe(0)
    expect(offline.text).toMatch(/^confirmed +special\./m)
  })

  it('refuses flags about a running server together with a recording', async () => {
    await expect(selfcheck(['--recording', file, '--key', 'sk-x'])).rejects.toThrow(
      '--key does not go with --recording',
    )
  })
})

describe('the scenario and settings of a recording (docs/recordings.md, "Use what the recording shows")', () => {
  it('a scenario has the recorded durations, failures and refusals, and passes scenarios check', async () => {
    const { code, text } = await printed(scenarios, ['from-recording', file])
    expect([code, text]).toEqual([0, expect.stringContaining('name: journey')])
    expect(text).toMatch(/code: OutputVideoSensitiveContentDetected/)
    expect(text).toMatch(/running: \d/)
    expect(text).toMatch(/fault: rate_limited/)
    const path = join(folder, 'journey.yaml')
    writeFileSync(path, text)
    expect((await printed(scenarios, ['check', path])).text).toContain('is valid')
  })

  it('settings have the recorded group, models and limits', async () => {
    const limited = await made('limited.har', ['a link ends'], async url => {
      const to = traveller(gateway, url, 0)
      const key = `sk-test-${journeyWorld}.limited`
      for (const resolution of ['720p', '1080p', '480p'])
        await to.ask('POST', '/api/v3/contents/generations/tasks', video('a pier', { resolution }), key)
    })
    const { text } = await printed(config, ['from-recording', limited])
    expect(text).toContain('links: relayed')
    expect(text).toContain('"resolutions":["720p","1080p"]')
  })

  it.each([
    [scenarios, ['from-recording']],
    [scenarios, ['from-recording', 'a.har', 'b.har']],
    [config, []],
    [config, ['from-recording', '--x']],
  ])('%o %j is wrong usage', async (command, args) => {
    await expect(command(args)).rejects.toThrow(UsageError)
  })
})

it('a text in JUnit and HTML has no character that XML forbids, whatever a gateway answered (docs/recordings.md)', () => {
  expect(escaped('a\u0000\u001b[31m<b>\u000b & "\ufffe\t\n')).toBe('a[31m&lt;b&gt; &amp; &quot;\t\n')
})
