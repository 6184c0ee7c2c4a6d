import { request as send } from 'node:http'
import { describe, expect, it } from 'vitest'
import { readPrompt } from '../../src/emulator/families/index.ts'
import type { GatewayEntry } from '../../src/evidence/recordings/har.ts'
import type { Comparison } from '../../src/evidence/recordings/judge/comparison.ts'
import { report } from '../../src/evidence/recordings/judge/report.ts'
import { learnScenario } from '../../src/evidence/recordings/learn.ts'
import { readSteps } from '../../src/evidence/recordings/read/steps.ts'
import { redactPrompt, standInPrompt } from '../../src/evidence/recordings/redact/prompt.ts'
import { createPseudonyms } from '../../src/evidence/recordings/redact/pseudonyms.ts'
import { readLeftOut } from '../../src/evidence/spec/json.ts'
import { video as videoItem } from '../support/family-a.ts'
import { openGateway } from '../support/gateway.ts'
import { serverOfTest } from '../support/input-server.ts'
import { paths, type Traveller, traveller, video, videoC } from '../support/journey.ts'
import { contradictedIn, openJudge } from '../support/judged.ts'
import { recordedOn } from '../support/recorder.ts'
import { promptsOf } from '../support/task-type-corpus.ts'

const gateway = await openGateway({ strict: false })
const other = await openGateway()
const judge = await openJudge(other.url)

const { a, b, c, cTasks: query } = paths

const recorded = (journey: (to: Traveller) => Promise<unknown>, prompts?: 'kept') =>
  recordedOn(journey, gateway, gateway.url, prompts)

async function expectClean(entries: readonly GatewayEntry[]): Promise<Comparison> {
  const verdict = await judge(entries)
  expect(report(verdict, 'pretty')).not.toMatch(/^(?:contradicted|no row claims).*\n.*/m)
  expect(verdict.compared).toBeGreaterThan(0)
  return verdict
}

describe('a recording of the emulator itself shows no difference (docs/recordings.md, "Compare")', () => {
  it.each([1, 2, 19, 20, 21])('with the name of a voice of %i characters', async length => {
    const entries = await recorded(to =>
      to.ask('POST', '/general/custom-voices', {
        voice_name: 'Nora edits the sea and'.slice(0, length),
        voice_url: `${to.samples}/voice-8s.mp3`,
      }),
    )
    expect(entries[0]?.response.status).toBe(length > 20 ? 400 : 200)
    await expectClean(entries)
  })

  it.each([1, 64, 65])('with an identifier of an end user of %i characters', async length => {
    const entries = await recorded(to =>
      to.ask('POST', a, video('a pier', { safety_identifier: 'u'.repeat(length) })),
    )
    expect(entries[0]?.response.status).toBe(length > 64 ? 400 : 200)
    expect(JSON.parse(entries[0]?.request.postData?.text ?? '').safety_identifier).toBe(`text:${length}`)
    await expectClean(entries)
  })

  it.each([1, 22, 6999, 7000, 7001])('with a prompt of %i characters of several bytes', async length => {
    const entries = await recorded(to => to.ask('POST', c, videoC('🌊'.repeat(length))))
    expect(entries[0]?.response.status).toBe(length > 7000 ? 400 : 200)
    await expectClean(entries)
  })

  it.each(['1024x1024', '16:9', '3.041', 'SUCCEED', 'InvalidParameter', 'queued', 'a'])(
    'with the prompt %s, which is also a value of other fields',
    async prompt => {
      const entries = await recorded(async to => {
        const images = '/api/v3/images/generations'
        await to.ask('POST', images, { model: 'model_image', prompt, size: '1024x1024' })
        await to.ask('POST', images, { model: 'model_image', prompt, size: prompt })
        const { body } = await to.ask('POST', '/image-to-video/model_k_30', {
          prompt,
          settings: { duration: 3 },
          contents: [{ type: 'first_frame', url: `${to.samples}/landscape.jpg` }],
        })
        await to.advance('10m')
        await to.ask('GET', `/tasks?task_ids=${body.data.id}`)
        await to.ask('GET', '/tasks?external_task_ids=a,SUCCEED')
      })
      expect(entries.map(({ response }) => response.status).slice(0, 3)).toEqual([
        200,
        prompt === '1024x1024' ? 200 : 400,
        200,
      ])
      await expectClean(entries)
    },
  )

  it.each(['Make the balloon in video 1 red', '把气球变成红色', '延长视频1', 'a chef, camera as in video 1'])(
    'with a video and the prompt %s, whose words decide the type of the task',
    async text => {
      const entries = await recorded(async to => {
        const content = [{ type: 'text', text }, videoItem(`${to.samples}/clip-720p-5s.mp4`)]
        const { body } = await to.ask('POST', a, { model: 'model_a_25', content, resolution: '480p' })
        await to.advance('10m')
        await to.ask('GET', `${a}/${body.id}`)
        await to.ask('POST', a, { model: 'model_a_25', content, ratio: '1:1', duration: 9 })
      })
      await expectClean(entries)
    },
  )

  it.each(['first_frame', 'reference_image'])(
    'with a picture as %s, when the service chooses',
    async role => {
      const entries = await recorded(async to => {
        const picture = { type: 'image_url', image_url: { url: `${to.samples}/portrait.jpg` }, role }
        const content = [{ type: 'text', text: 'a pier' }, picture]
        // A task that is not recorded, so that the replay draws other values.
        await traveller(gateway, gateway.url, 0).ask('POST', a, video('a pier'))
        for (let more = 0; more < 3; more++) {
          const { body } = await to.ask('POST', a, { model: 'model_a_25', content, resolution: '480p' })
          await to.advance('10m')
          await to.ask('GET', `${a}/${body.id}`)
        }
      })
      await expectClean(entries)
    },
  )

  it.each(['known', 'aside'] as const)(
    'a redacted prompt is read as the task that it was: those %s',
    part => {
      const names = createPseudonyms()
      const none = { length: 0, number: 0, words: '' }
      const readings = promptsOf(part).map(([, , prompt]) => [
        prompt,
        readPrompt(prompt).reading,
        readPrompt(standInPrompt(readLeftOut(redactPrompt(prompt, names)) ?? none)).reading,
      ])
      expect(readings.length).toBeGreaterThan(40)
      expect(readings.filter(([, before, after]) => before !== after)).toEqual([])
    },
  )

  it.each([
    ['kept', 'kept'],
    ['redacted', undefined],
  ] as const)('with prompt tags, when prompts are %s', async (_, prompts) => {
    const entries = await recorded(async to => {
      for (const tags of [
        '[[queue:20s]] [[run:40s]]',
        '[[fail:OutputVideoSensitiveContentDetected]]',
        '[[refuse:rate_limited]]',
      ]) {
        const { body } = await to.ask('POST', a, video(`a pier ${tags}`))
        for (const wait of ['1s', '30s', '90s']) {
          await to.advance(wait)
          if (body.id) await to.ask('GET', `${a}/${body.id}`)
        }
        const made = await to.ask('POST', b, { model: 'model_b', input: { prompt: `a pier ${tags}` } })
        await to.advance('2m')
        if (made.body.output) await to.ask('GET', `/api/v1/tasks/${made.body.output.task_id}`)
      }
    }, prompts)
    expect(entries.some(({ response }) => response.status === 429)).toBe(true)
    expect(JSON.stringify(entries).includes('[[queue')).toBe(prompts === 'kept')
    await expectClean(entries)
  })
})

describe('the report of a comparison', () => {
  it('has one line for each row and path, with the number of requests', async () => {
    const entries = await recorded(async to => {
      const { body } = await to.ask('POST', a, video('a pier'))
      for (let poll = 0; poll < 30; poll++) await to.ask('GET', `${a}/${body.id}`)
      for (let poll = 0; poll < 30; poll++) await to.ask('GET', a)
    })
    for (const { response } of entries)
      response.headers = response.headers.filter(({ name }) => name.toLowerCase() !== 'x-request-id')
    const verdict = await judge(entries)
    const differences = [...verdict.rows.flatMap(row => row.differences), ...verdict.unclaimed]
    expect(differences).toMatchObject([
      { path: 'header.x-request-id', requests: 61, operations: ['a.create', 'a.get', 'a.list'], values: 61 },
    ])
    const text = report(verdict, 'pretty')
    expect(text.match(/x-request-id is/g)).toHaveLength(1)
    expect(text).toMatch(
      /header\.x-request-id is absent in the recording and "[^"]+" in the emulator \(61 requests, 61 pairs of values\)\n/,
    )
    expect(report(verdict, 'markdown')).toContain('(61 requests')
    expect(report(verdict, 'junit')).toContain('(61 requests')
  })

  it('says how many entries were left out', async () => {
    const [entry] = await recorded(to => to.ask('GET', a))
    if (!entry?._gateway) throw new Error('nothing was recorded')
    const broken = { ...entry, _gateway: { ...entry._gateway, problem: 'client_left' as const } }
    expect(report(await judge([entry, broken]), 'pretty')).toMatch(/no complete reply: 1\.\n$/)
  })

  it.each(['before_headers', 'mid_body'])(
    'has a connection that the recorded gateway reset %s as a difference, and compares all other requests',
    async reset => {
      const entries = await recorded(async to => {
        const { body } = await to.ask('POST', a, video('a pier'))
        await gateway.control('POST', '/worlds/journey/scenarios', {
          name: 'resets',
          // biome-ignore lint/suspicious/noThenProperty: the word of the scenario language, never awaited
          rules: [{ when: { operation: 'a.get', call: 2 }, then: { connection: { reset } } }],
        })
        for (let poll = 0; poll < 3; poll++) await to.ask('GET', `${a}/${body.id}`).catch(() => undefined)
        await gateway.control('DELETE', '/worlds/journey/scenarios/resets')
      })
      expect(entries.filter(({ _gateway }) => _gateway?.problem === 'upstream_broke_off')).toHaveLength(1)
      const verdict = await judge(entries)
      expect(verdict.unclaimed).toMatchObject([
        {
          path: 'connection',
          recorded: 'no complete reply',
          emulated: 'a complete reply',
          requests: 1,
          operations: ['a.get'],
        },
      ])
      expect(contradictedIn(verdict)).toEqual([])
      expect(verdict.recordings[0]).toMatchObject({ repeated: 4, ignored: 0 })
    },
  )
})

it('a connection that the emulator resets is a difference, and all other requests are compared', async () => {
  const proxy = await serverOfTest((request, response) => {
    if (request.method === 'GET' && request.url?.startsWith(`${a}/`)) return void request.socket.destroy()
    const url = other.url + request.url
    const onward = send(url, { method: request.method, headers: request.headers }, reply => {
      response.writeHead(reply.statusCode ?? 0, reply.headers)
      // The list breaks off in the middle of its reply.
      if (request.url?.startsWith(`${query}?`)) return void response.write('{', () => response.destroy())
      reply.pipe(response)
    })
    request.pipe(onward)
  })
  const entries = await recorded(async to => {
    const { body } = await to.ask('POST', a, video('a pier'))
    for (let poll = 0; poll < 3; poll++) await to.ask('GET', `${a}/${body.id}`)
    await to.ask('GET', `${query}?page_num=1`)
    await to.ask('GET', `${a}?page_size=3`)
  })
  const judgeOfReset = await openJudge(proxy)
  const verdict = await judgeOfReset(entries)
  expect(verdict.unclaimed).toMatchObject([
    {
      path: 'connection',
      recorded: 'a reply with status 200',
      emulated: expect.stringMatching(/^no complete reply \(ECONNRESET\)$/),
      requests: 4,
      operations: ['a.get', 'c.list'],
    },
  ])
  expect(contradictedIn(verdict)).toEqual([])
  expect(verdict.recordings[0]?.repeated).toBe(6)
  expect(verdict.rows.some(({ status }) => status === 'confirmed')).toBe(true)
})

describe('the scenario of a recording that ends before its tasks do', () => {
  const slow = 'a pier [[queue:20s]] [[run:40s]]'
  const learned = async (...waits: string[]) => {
    const entries = await recorded(async to => {
      const { body } = await to.ask('POST', a, video(slow))
      for (const wait of waits) {
        await to.advance(wait)
        await to.ask('GET', `${a}/${body.id}`)
      }
    })
    return learnScenario(readSteps('cut.har', entries)).rules.map(rule => rule.then)
  }

  it.each([
    [['1s'], undefined],
    [['10s', '20s'], { queued: expect.any(String) }],
    [
      ['10s', '20s', '60s'],
      { queued: expect.any(String), running: expect.any(String), outcome: 'succeeded' },
    ],
  ])('after %j has only what was seen: %o', async (waits, task) => {
    expect(await learned(...waits)).toEqual(task === undefined ? [] : [{ task }])
  })
})
