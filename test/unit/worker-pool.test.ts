import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { digestOf } from '../../src/media/files/kept-files.ts'
import { InputError } from '../../src/media/inputs/errors.ts'
import { createDemand } from '../../src/media/render/ahead.ts'
import { renderRecipe } from '../../src/media/render/render-recipe.ts'
import { findFfmpeg } from '../../src/media/render/tools.ts'
import { createWorkerPool, type PoolOptions, type WorkerPool } from '../../src/media/workers/pool.ts'
import { perform } from '../../src/media/workers/render-worker.ts'
import { standStill } from '../../src/media/workers/work-watch.ts'
import { startWorker, workerEnvironment } from '../../src/media/workers/worker.ts'
import { startBuiltWorker } from '../support/built-worker.ts'
import { bundled } from '../support/bundled.ts'
import { ownFolder } from '../support/folders.ts'
import { root } from '../support/fresh-build.ts'
import { sample } from '../support/input-samples.ts'
import { isAlive, noneIsLeft, within } from '../support/left-processes.ts'
import { countedProgram, pictureRecipe, slowFfmpeg } from '../support/pool-jobs.ts'
import { videoRecipe } from '../support/video-files.ts'

const folder = ownFolder('worker-pool')

const pools: WorkerPool[] = []
const openPool = (options: PoolOptions = {}): WorkerPool => {
  const pool = createWorkerPool({ start: startBuiltWorker, ...options })
  pools.push(pool)
  return pool
}
afterEach(async () => {
  await Promise.all(pools.splice(0).map(pool => pool.close()))
})

let files = 0
const freshPath = (ending: string) => join(folder, `file-${++files}.${ending}`)
/** A rendering that loads no library for pictures and starts no ffmpeg: a third of the work of a first picture. */
const job = (seed = 5) => ({
  kind: 'render' as const,
  recipe: { kind: 'sound', format: 'wav', seconds: 1, seed } as const,
  file: freshPath('wav'),
  kept: folder,
})
const pictureJob = () => ({ ...job(), recipe: pictureRecipe(), file: freshPath('png') })

const neverAnswering = () => countedProgram(folder, 'exec sleep 600')

/** On Linux each thread has a priority of its own. */
function threadsOf(pid: number): number[] {
  return process.platform === 'linux' ? readdirSync(`/proc/${pid}/task`).map(Number) : [pid]
}

/** A rendering that needs ffmpeg, with the program at this path. */
function slowSound(path: string) {
  const recipe = { kind: 'sound', format: 'mp3', seconds: 1, seed: 5 } as const
  return { ...job(), recipe, file: freshPath('mp3'), ffmpeg: slowFfmpeg(path) }
}

function slowVideo(path: string) {
  return { ...slowSound(path), recipe: videoRecipe({ frames: 2 }), file: freshPath('mp4') }
}

/** A pool, and a program in place of ffmpeg that never answers. */
const stuckPool = (options: PoolOptions = { renders: 1 }) => {
  return { pool: openPool(options), ...neverAnswering() }
}

describe('a worker that ends in the middle of a rendering', () => {
  it('is replaced once, and the rendering succeeds', async () => {
    const { pool, path, runs } = stuckPool()
    const slow = slowSound(path)
    const ffmpeg = await findFfmpeg()
    const made = pool.run(slow)
    await expect.poll(() => runs().length, within).toBeGreaterThan(0)
    // The second try finds a program that answers.
    writeFileSync(path, `#!/bin/sh\nexec '${ffmpeg.path}' "$@"\n`)
    const [first] = pool.pids()
    process.kill(first ?? 0, 'SIGKILL')
    await made
    expect(pool.pids()).not.toContain(first)
    const twin = freshPath('mp3')
    await renderRecipe(slow.recipe, { kept: async () => undefined }, twin)
    expect(digestOf(readFileSync(slow.file))).toBe(digestOf(readFileSync(twin)))
    await noneIsLeft(runs())
  })

  it('twice gives an error that says how it ended, and the pool continues to work', async () => {
    const { pool, path, runs } = stuckPool()
    const refused = expect(pool.run(slowSound(path))).rejects.toThrow('the render worker ended by SIGKILL')
    const dead = new Set<number>()
    for (let death = 0; death < 2; death++) {
      const running = () => pool.pids().filter(pid => !dead.has(pid))
      await expect.poll(() => running().length === 1 && runs().some(isAlive), within).toBe(true)
      for (const pid of running()) {
        dead.add(pid)
        process.kill(pid, 'SIGKILL')
      }
      await noneIsLeft(runs())
    }
    await refused
    await pool.run(job())
  })

  it('a worker that cannot be started is reported with the reason', async () => {
    const broken = join(folder, 'broken.mjs')
    writeFileSync(broken, "throw new Error('this machine has no libvips')")
    const pool = openPool({ start: () => startWorker({ path: broken, execArgv: [] }) })
    await expect(pool.run(job())).rejects.toThrow('this machine has no libvips')
  })
})

it('an error of the work itself is not tried again, and a refused input stays an InputError', async () => {
  const pool = openPool({ renders: 1 })
  const kept = { kind: 'kept', content: 'ab', format: 'png' } as const
  await expect(pool.run({ ...job(), recipe: kept })).rejects.toThrow(
    'the picture ab is no longer in the library',
  )
  const file = freshPath('bin')
  writeFileSync(file, 'GIF89a, but nothing more')
  const broken = { kind: 'examine', file, digest: 'cd', want: 'image', kept: folder } as const
  const fault = await pool.run(broken).catch(error => error)
  expect(fault).toBeInstanceOf(InputError)
  expect(fault.reason).toBe('undecodable')
  expect(pool.pids()).toHaveLength(1)
})

it('at most one rendering runs for each core, and inputs do not wait for renderings', async () => {
  const { pool, path, runs } = stuckPool()
  const [first, second] = [pool.run(slowSound(path)), pool.run(slowSound(path))]
  const ended = Promise.allSettled([first, second])
  await expect.poll(() => runs().length, within).toBeGreaterThan(0)
  const file = freshPath('png')
  writeFileSync(file, sample('square.png'))
  const examined = await pool.run({ kind: 'examine', file, digest: 'ef', want: 'image', kept: folder })
  expect(examined.measured).toMatchObject({ format: 'png', widthPx: 1024 })
  expect(pool.pids()).toHaveLength(2)
  await pool.close()
  expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

it('one core makes no videos, so that a poll finds it free, and can make a picture meanwhile', async () => {
  const { pool, path, runs } = stuckPool({ renders: 2 })
  const ended = Promise.allSettled([pool.run(slowVideo(path)), pool.run(slowVideo(path))])
  await expect.poll(() => runs().length, within).toBe(1)
  await pool.run(pictureJob())
  expect(runs()).toHaveLength(1)
  await pool.close()
  expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

it('an idle worker ends, and the next job starts another', async () => {
  const pool = openPool({ idleMs: 1 })
  expect(pool.pids()).toEqual([])
  await pool.run(job())
  await expect.poll(() => pool.pids(), within).toEqual([])
  await pool.run(job(6))
})

it('one worker does one job after another', async () => {
  const pool = openPool()
  await pool.run(job())
  const before = pool.pids()
  await pool.run(job(9))
  expect(pool.pids()).toEqual(before)
})

/** The priorities of all threads of the pool's workers and of these other processes. */
const prioritiesOf = (pool: WorkerPool, others: readonly number[] = []) =>
  new Set([...pool.pids(), ...others].flatMap(threadsOf).map(getPriority))
const [usual, low] = [getPriority(), Math.min(getPriority() + 10, 19)]

/** Whether this process may undo that it has lowered the priority of another one. */
function mayRaise(): boolean {
  const child = spawn('sleep', ['600'])
  try {
    setPriority(child.pid ?? 0, low)
    setPriority(child.pid ?? 0, usual)
    return true
  } catch {
    return false
  } finally {
    child.kill('SIGKILL')
  }
}

describe('the priority of work', () => {
  it('that a request waits for is that of the server, in every thread', async () => {
    const pool = openPool()
    // With a picture, the threads that compute its pixels run too.
    await pool.run(pictureJob())
    expect(prioritiesOf(pool)).toEqual(new Set([usual]))
  })

  it('ahead of requests is lower in every thread, also for the next such work', async () => {
    const pool = openPool()
    await pool.run(pictureJob(), undefined, createDemand())
    expect(prioritiesOf(pool)).toEqual(new Set([low]))
    const [first] = pool.pids()
    await pool.run(job(), undefined, createDemand())
    expect(pool.pids()).toEqual([first])
  })

  it.runIf(mayRaise())('begun ahead is raised, with its ffmpeg, when somebody waits for it', async () => {
    const { pool, path, runs } = stuckPool()
    const demand = createDemand()
    const ended = pool.run(slowVideo(path), undefined, demand).catch(error => error.name)
    await expect.poll(() => runs().length, within).toBe(1)
    expect(prioritiesOf(pool, runs())).toEqual(new Set([low]))
    demand.come()
    await expect.poll(() => prioritiesOf(pool, runs()), within).toEqual(new Set([usual]))
    expect(runs()).toHaveLength(1)
    await pool.close()
    expect(await ended).toBe('AbortError')
  })

  it('begun ahead, where raising is forbidden, is begun again beside it, and the first to end counts', async () => {
    const priorities = { lower: () => undefined, raise: () => false }
    const { pool, path, runs } = stuckPool({ renders: 1, priorities })
    const real = (await findFfmpeg()).path
    const demand = createDemand()
    const slow = slowVideo(path)
    const made = pool.run(slow, undefined, demand)
    await expect.poll(() => runs().length, within).toBe(1)
    const [first = 0] = runs()
    writeFileSync(path, `#!/bin/sh\nexec '${real}' "$@"\n`)
    demand.come()
    await made
    expect(readFileSync(slow.file).toString('latin1', 4, 8)).toBe('ftyp')
    await noneIsLeft([first])
  })

  it('ahead of requests takes no place from work that a request waits for', async () => {
    const { pool, path, runs } = stuckPool()
    const ended = pool.run(slowVideo(path), undefined, createDemand()).catch(error => error.name)
    await expect.poll(() => runs().length, within).toBe(1)
    await pool.run(pictureJob())
    await pool.close()
    expect(await ended).toBe('AbortError')
  })
})

describe('work that will not end', () => {
  it('is ended when its processes stand still, tried once more, and then given up with an error that says so', async () => {
    const { pool, path, runs } = stuckPool({ renders: 1, limits: { stillMs: 400 } })
    const given = pool.run(slowSound(path))
    await expect(given).rejects.toThrow(
      'the work stood still for 0.4 s, as when ffmpeg hangs; the work was tried twice and given up',
    )
    expect(runs()).toHaveLength(2)
    await noneIsLeft(runs())
    await pool.run(job())
  })

  it('is ended when it has used too much processor time, and not tried again', async () => {
    const pool = openPool({ renders: 1, limits: { stillMs: 400, cpuMs: 300 } })
    const path = join(folder, 'endless')
    writeFileSync(path, '#!/bin/sh\nwhile :; do :; done\n')
    chmodSync(path, 0o755)
    await expect(pool.run(slowSound(path))).rejects.toThrow('more than 0.3 s of processor time')
  })

  it.each([
    ['that waits for a processor all the time is kept waiting', { cpuMs: 0, isAtWork: true }, 0, false],
    ['that gets little of a processor is not still', { cpuMs: 20, isAtWork: false }, 20, false],
    ['that neither uses nor wants a processor is still', { cpuMs: 0, isAtWork: false }, 0, true],
  ])('%s', (_, { isAtWork }, stepMs, isStill) => {
    const seen = Array.from({ length: 11 }, (_, look) => ({ cpuMs: look * stepMs, isAtWork }))
    expect(standStill(seen, 10_000)).toBe(isStill)
  })

  it('and cannot be stopped ends with its worker after the answer', async () => {
    const path = join(folder, 'spent.mjs')
    const answer = {
      kind: 'failed',
      name: 'InputError',
      message: 'endless',
      reason: 'undecodable',
      isSpent: true,
    }
    writeFileSync(path, `process.on('message', () => process.send(${JSON.stringify(answer)}))`)
    const pool = openPool({ start: () => startWorker({ path, execArgv: [] }) })
    await expect(pool.run(job())).rejects.toThrow('endless')
    expect(pool.pids()).toEqual([])
  })
})

it('closing ends workers and their processes, and rejects waiting jobs', async () => {
  const { pool, path, runs } = stuckPool()
  const work = [pool.run(slowSound(path)), pool.run(job())].map(promise => promise.catch(error => error))
  await expect.poll(() => runs().length, within).toBeGreaterThan(0)
  const workers = pool.pids()
  await pool.close()
  expect((await Promise.all(work)).map(error => error.name)).toEqual(['AbortError', 'AbortError'])
  await noneIsLeft([...workers, ...runs()])
  await expect(pool.run(job())).rejects.toThrow('aborted')
})

it('aborting a job ends its worker and the worker’s processes', async () => {
  const { pool, path, runs } = stuckPool()
  const stop = new AbortController()
  const stopped = expect(pool.run(slowSound(path), stop.signal)).rejects.toThrow('the client has gone')
  await expect.poll(() => runs().length, within).toBeGreaterThan(0)
  stop.abort(new Error('the client has gone'))
  await stopped
  await noneIsLeft(runs())
  await pool.run(job())
})

describe('the same job gives the same bytes in a worker as in this process', () => {
  // One worker for all of them.
  const pool = createWorkerPool({ renders: 1, start: startBuiltWorker })
  afterAll(() => pool.close())

  it.each([
    ['a video with a level bar', 'mp4', videoRecipe({ audio: 'mono', levelBar: true, firstFrame: 'a1' })],
    ['a last frame', 'png', { kind: 'last_frame', of: videoRecipe() } as const],
    ['a picture', 'png', pictureRecipe()],
    ['a voice', 'mp3', { kind: 'sound', format: 'mp3', seconds: 1, seed: 3 } as const],
  ])('%s', async (_, ending, recipe) => {
    writeFileSync(join(folder, 'a1'), sample('square.png'))
    const [here, there] = [freshPath(ending), freshPath(ending)]
    const ffmpeg = await findFfmpeg()
    await pool.run({ kind: 'render', recipe, file: there, kept: folder, ffmpeg })
    const kept = async () => sample('square.png')
    await renderRecipe(recipe, { kept, ffmpeg }, here)
    expect(digestOf(readFileSync(there))).toBe(digestOf(readFileSync(here)))
  })

  it('a decomposition', async () => {
    writeFileSync(join(folder, 'layered'), sample('layered.png'))
    const order = { width: 320, height: 240, format: 'png', mark: false } as const
    const input = { picture: 'layered', widthPx: 640, heightPx: 480, format: 'png' }
    const apart = { kind: 'take_apart', input, order, kept: folder } as const
    const there = await pool.run(apart)
    expect(there.layers.length).toBeGreaterThan(1)
    expect(there).toEqual(await perform(apart))
  })
})

describe('the program that renders', () => {
  let compiled = ''
  /** The digest of its picture. */
  let expected = ''
  beforeAll(async () => {
    compiled = await bundled('pool-host.ts')
    // The worker that the program looks for beside it.
    const worker = pathToFileURL(join(root, 'dist/render-worker.js')).href
    writeFileSync(join(dirname(compiled), 'render-worker.js'), `import(${JSON.stringify(worker)})`)
    const here = freshPath('png')
    await renderRecipe(pictureRecipe(), { kept: async () => undefined }, here)
    expected = digestOf(readFileSync(here))
  })

  it.each([
    // From the sources once, which needs tsx in the worker too.
    [
      'with an inspector of its own',
      ['--inspect=127.0.0.1:0', '--import', 'tsx', 'test/support/pool-host.ts'],
      {},
    ],
    ['with an inspector for all by NODE_OPTIONS', [], { NODE_OPTIONS: '--inspect=127.0.0.1:0' }],
    [
      'with a preloaded module that may run only once',
      [],
      { NODE_OPTIONS: '--import=data:text/javascript,process.send&&process.exit(7)' },
    ],
    ['with flags that need no script', ['--conditions=odd', '--stack-trace-limit=3'], {}],
  ])(
    '%s gets the same bytes, and ends by itself without closing the pool',
    async (_, options, environment) => {
      const run = promisify(execFile)
      const host = options.at(-1)?.endsWith('.ts') ? options : [...options, compiled]
      const { stdout } = await run(process.execPath, [...host, 'picture', folder], {
        env: { ...process.env, ...environment },
      })
      expect(stdout).toBe(expected)
    },
  )

  it('stays until the pool is closed, though nothing else keeps it', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [compiled, 'closed', folder])
    expect(stdout).toBe('closed')
  })

  it('ends its workers and their ffmpeg when it is killed (kill -9)', async () => {
    const { path, runs } = neverAnswering()
    const program: ChildProcess = spawn(process.execPath, [compiled, path, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let told = ''
    program.stdout?.on('data', chunk => {
      told += chunk
    })
    await expect.poll(() => told.endsWith('\n') && runs().length > 0, within).toBe(true)
    const workers = told.trim().split(' ').map(Number)
    expect(workers.every(isAlive)).toBe(true)
    const over = once(program, 'exit')
    program.kill('SIGKILL')
    await over
    await noneIsLeft([...workers, ...runs()])
  })
})

it('passes to workers only those NODE_OPTIONS that find packages, and neither certificates nor fonts of the host', () => {
  const environment = workerEnvironment({
    PATH: '/bin',
    NODE_OPTIONS:
      '--inspect-brk --require /app/.pnp.cjs --max-old-space-size=64 --loader ./.pnp.loader.mjs --import ./set-up.js',
    NODE_V8_COVERAGE: 'coverage',
    NODE_EXTRA_CA_CERTS: '/etc/ssl/certs/ca-certificates.crt',
    FONTCONFIG_FILE: '/etc/fonts/fonts.conf',
    FONTCONFIG_PATH: '/etc/fonts',
  })
  expect(environment).toEqual({
    PATH: '/bin',
    NODE_OPTIONS: '--require /app/.pnp.cjs --loader ./.pnp.loader.mjs',
    FONTCONFIG_FILE: expect.stringMatching(/fixtures\/font\/fonts\.conf$/),
  })
})

it('decomposes a picture that was not read into the same layers in a new worker and in one that has drawn before', async () => {
  const input = { widthPx: 900, heightPx: 600, format: 'heic' }
  const order = { width: 900, height: 600, format: 'png', mark: false } as const
  const apart = { kind: 'take_apart', input, order, kept: folder } as const
  const [fresh, used] = [openPool({ renders: 1 }), openPool({ renders: 1 })]
  await used.run(pictureJob())
  const digests = async (pool: WorkerPool) => {
    const { base, layers } = await pool.run(apart)
    expect(layers.length).toBeGreaterThan(1)
    return [base.digest, ...layers.map(({ file }) => file.digest)]
  }
  expect(await digests(fresh)).toEqual(await digests(used))
})
