import { pathToFileURL } from 'node:url'
import { describe } from 'vitest'
import { expect, it } from '../../src/kits/testing/vitest.ts'
import { root } from '../support/fresh-build.ts'
import { run } from '../support/run.ts'

/** How each package makes its video model, and when it gives up: the error code and the number of seconds. */
const packages = [
  {
    name: '@ai-sdk/bytedance',
    model: "createByteDance({ baseURL: url + '/api/v3', apiKey }).video('dreamina-seedance-2-0-260128')",
    maker: 'createByteDance',
    givesUp: 'BYTEDANCE_VIDEO_GENERATION_TIMEOUT',
    seconds: 300,
  },
  {
    name: '@ai-sdk/alibaba',
    model: "createAlibaba({ videoBaseURL: url, apiKey }).video('wan3.0-video')",
    maker: 'createAlibaba',
    givesUp: 'ALIBABA_VIDEO_GENERATION_TIMEOUT',
    seconds: 600,
  },
]

/** Makes a video that waits four minutes, then one that never ends, and prints how long each took by the clocks of the program. */
const program = ({ name, maker, model }: (typeof packages)[number]) => `
import { experimental_generateVideo as generateVideo } from 'ai'
import { ${maker} } from '${name}'
const { GATEWAY_EMULATOR_URL: url, GATEWAY_EMULATOR_KEY: apiKey } = process.env
const download = async ({ url }) => ({ data: new Uint8Array(await (await fetch(url)).arrayBuffer()), mediaType: 'video/mp4' })
const took = []
const wall = new Event('').timeStamp
for (const prompt of ['[[queue:4m]] a cat', '[[never]] a cat']) {
  const started = [Date.now(), performance.now()]
  const end = await generateVideo({ model: ${model}, prompt, aspectRatio: '16:9', duration: 4, download }).then(
    ({ video }) => Buffer.from(video.uint8Array).toString('latin1', 4, 8),
    error => error.name,
  )
  took.push({ end, seconds: (Date.now() - started[0]) / 1000, steady: (performance.now() - started[1]) / 1000 })
}
console.log(JSON.stringify({ took, wall: (new Event('').timeStamp - wall) / 1000 }))
`

describe.each(packages)('virtual time with $name (docs/explore.md, "Time")', one => {
  it('minutes of polling take no wall time, and the package gives up at its own limit', async ({ world }) => {
    await world.clock.set({ mode: 'manual' })
    const tie = pathToFileURL(`${root}/dist/virtual-time.js`).href
    const args = ['--import', tie, '--input-type=module', '--eval', program(one)]
    const { code, stdout, stderr } = await run('node', args, {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        GATEWAY_EMULATOR_URL: world.baseUrl,
        GATEWAY_EMULATOR_KEY: world.apiKey,
        GATEWAY_EMULATOR_WORLD: world.id,
      },
    })
    expect(code, stderr).toBe(0)
    const { took, wall } = JSON.parse(stdout) as {
      took: { end: string; seconds: number; steady: number }[]
      wall: number
    }
    expect(took.map(({ end }) => end)).toEqual(['ftyp', one.givesUp])
    const [made, gaveUp] = took
    for (const seconds of [made?.seconds, made?.steady]) expect(seconds).toBeGreaterThan(240)
    expect(gaveUp?.seconds).toBeGreaterThan(one.seconds)
    expect(gaveUp?.seconds).toBeLessThan(one.seconds + 10)
    // Some 600 virtual seconds take two or three of wall time.
    expect(wall).toBeLessThan((240 + one.seconds) / 4)
  })
})
