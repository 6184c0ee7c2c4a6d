import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import {
  allImports,
  codeOf,
  runtimeImports,
  type SourceFile,
  sourceFiles,
  testFiles,
} from './support/source-files.ts'

/** The rooms of `src`, from the ground up: a file may import only from its own room and from rooms below, types included. */
const rooms = [
  'package',
  'wording',
  'faults',
  'spec',
  'guide',
  'worlds',
  'http',
  'scenarios',
  'tasks',
  'media',
  'options',
  'pipeline',
  'families',
  'downloads',
  'client',
  'as',
  'explore',
  'recordings',
  'mcp',
  'control',
  'server',
  'selfcheck',
  'commands',
  'main.ts',
  'index.ts',
  'testing',
  'virtual-time',
  'as-host',
  'console',
]

const roomOf = (path: string) => path.split('/')[0] ?? ''
const familyOf = (path: string) => /^families\/([^/]+)\//.exec(path)?.[1]

const offences = (found: (file: SourceFile) => string[]) =>
  sourceFiles.flatMap(file => found(file).map(offence => `${file.path}: ${offence}`))

it('the sources are read', () => {
  expect(sourceFiles.length).toBeGreaterThan(100)
  expect(sourceFiles.flatMap(runtimeImports).length).toBeGreaterThan(200)
})

it('code in a template is read as code, and words in texts, comments and patterns are not', () => {
  const text = "const d = /['f]/ // g\nh() /* i */\n" + `const a = \`it's \${now('b')} // c\``
  expect(codeOf('a.ts', text).split('\n')).toEqual(['const d = // ', 'h() ', "const a = now('')"])
})

describe('rooms import in one direction, so that no circle is between them', () => {
  it('every file belongs to a room of the list', () => {
    expect(offences(({ path }) => (rooms.includes(roomOf(path)) ? [] : ['belongs to no room']))).toEqual([])
  })

  it('nothing imports from a room above, not even a type', () => {
    const found = offences(file =>
      allImports(file).flatMap(target => {
        const [own, other] = [roomOf(file.path), roomOf(target)]
        if (rooms.indexOf(other) <= rooms.indexOf(own)) return []
        return [
          `imports ${target}, and ${other} is above ${own}: pass the value in, or move it to a room below`,
        ]
      }),
    )
    expect(found).toEqual([])
  })

  it('families never import each other, not even types', () => {
    const found = offences(file => {
      const own = familyOf(file.path)
      const others = allImports(file).filter(target => (familyOf(target) ?? own) !== own)
      return own === undefined ? [] : others
    })
    expect(found).toEqual([])
  })

  it('what serves and compares requests names no family, except in examples', () => {
    const serving = /^(worlds|http|tasks|media|pipeline|options|downloads|control|server|mcp|recordings)\//
    const examples = ['control/resources/inject.ts', 'control/resources/tasks.ts']
    const named = /\bfamily === '|'(a|b|c|k|special|image)(\.[a-z]+)+'/
    expect(
      offences(({ path, text }) =>
        serving.test(path) && !examples.includes(path) && named.test(text) ? ['names a family'] : [],
      ),
    ).toEqual([])
  })

  it('only one function of media/h264 is used from outside', () => {
    const found = offences(file =>
      file.path.startsWith('media/h264/')
        ? []
        : allImports(file).filter(
            target => target.startsWith('media/h264/') && target !== 'media/h264/code-video.ts',
          ),
    )
    expect(found).toEqual([])
  })

  it('only the registry knows the folders of the families', () => {
    const found = offences(file =>
      file.path === 'families/index.ts' || familyOf(file.path) !== undefined
        ? []
        : allImports(file).filter(target => familyOf(target) !== undefined),
    )
    expect(found).toEqual([])
    expect(runtimeImports(registry()).filter(target => familyOf(target)).length).toBeGreaterThan(0)
  })
})

function registry(): SourceFile {
  const file = sourceFiles.find(({ path }) => path === 'families/index.ts')
  if (!file) throw new Error('There is no registry of families')
  return file
}

describe('clocks, random numbers, processes and the network are used only at the edges', () => {
  const edges = [
    /^(main|options\/config|server\/(closing|request-log))\.ts$/,
    /^recordings\/record\/(recorder|pass-on|keep-body)\.ts$/,
    /^(commands|worlds|console|testing)\//,
    /^media\/(inputs|ahead|tools|ffmpeg)\.ts$/,
    /^media\/workers\//,
    /^media\/inputs\/(deadline|examine|track-worker)\.ts$/,
    /^control\/state\/state-(check|text)\.ts$/,
    /^scenarios\/faults\.ts$/,
    /^client\/(call|fake-timers)\.ts$/,
    /^http\/direct\.ts$/,
    /^explore\/(explore(-function)?|run\/[a-z-]+)\.ts$/,
    /^virtual-time\//,
    /^as-host\//,
  ]
  const calls = {
    'Date.now': /\bDate\.now\b/,
    'new Date()': /\bnew Date\(\)/,
    setTimeout: /\bsetTimeout\b/,
    setInterval: /\bsetInterval\b/,
    setImmediate: /\bsetImmediate\b/,
    'Math.random': /\bMath\.random\b/,
    randomUUID: /\brandomUUID\b/,
    randomBytes: /\brandomBytes\b/,
    'process.env': /\bprocess\.env\b/,
    fetch: /\bfetch\b/,
    spawn: /(?<!\.)\b(spawn|exec|execFile|fork)(Sync)?\b/,
    'performance.now': /\bperformance\.now\b|\bhrtime\b/,
  }

  it.each(Object.entries(calls))('%s', (_, pattern) => {
    const inside = sourceFiles.filter(({ path }) => !edges.some(edge => edge.test(path)))
    expect(inside.length).toBeGreaterThan(80)
    // Reading the code of a file takes longer than looking through its text.
    const found = inside.filter(({ text }) => pattern.test(text)).filter(({ code }) => pattern.test(code))
    expect(found.map(({ path }) => path)).toEqual([])
  })

  it('every exception of this list is needed', () => {
    const uses = sourceFiles.filter(({ text }) => Object.values(calls).some(pattern => pattern.test(text)))
    expect(edges.filter(edge => !uses.some(({ path }) => edge.test(path)))).toEqual([])
  })

  /** Who listens and who asks. Names that only say what an address or a status is do neither. */
  const networked = [
    'as-host/index.ts',
    'as/proxy.ts',
    'http/direct.ts',
    'http/neighbour.ts',
    'mcp/over-http.ts',
    'media/inputs/download.ts',
    'recordings/record/recorder.ts',
    'recordings/record/send-on.ts',
    'recordings/replay/ask-emulator.ts',
    'server/emulator.ts',
    'server/ends-seen.ts',
    'server/loopback.ts',
    'server/open-port.ts',
    'virtual-time/socket-limits.ts',
    'virtual-time/world-clock.ts',
  ]

  it('the network, also by the modules of Node', () => {
    const words = new Set([
      'STATUS_CODES',
      'METHODS',
      'isIP',
      'BlockList',
      'validateHeaderValue',
      'rootCertificates',
    ])
    const modules =
      /^import\s+(?!type\b)([^'"]*?)\s*from\s+'node:(?:https?|http2|net|tls|dgram|dns(?:\/promises)?)'/gm
    const late =
      /(?<!typeof )\b(?:import|require)\(\s*'node:(?:https?|http2|net|tls|dgram|dns(?:\/promises)?)'\s*\)/
    const asks = ({ text }: SourceFile) =>
      late.test(text) ||
      [...text.matchAll(modules)].some(([, names = '']) =>
        names
          .split(/[{},]/)
          .some(name => name.trim() !== '' && !/^type\s/.test(name.trim()) && !words.has(name.trim())),
      )
    expect(sourceFiles.filter(asks).map(({ path }) => path)).toEqual(networked)
  })

  it('a command takes the environment from the options and the time from the clock', () => {
    const found = sourceFiles.filter(
      ({ path, code }) => path.startsWith('commands/') && /\bprocess\.env\b|\bDate\.now\b/.test(code),
    )
    // They hand it on to the user's program.
    expect(found.map(({ path }) => path)).toEqual(['commands/explore.ts', 'commands/run.ts'])
  })

  it('only main.ts, the entry of a worker and virtual time end a process', () => {
    expect(
      offences(({ path, code }) =>
        !['main.ts', 'media/workers/render-worker.ts', 'virtual-time/index.ts'].includes(path) &&
        /process\.exit\(/.test(code)
          ? ['exits']
          : [],
      ),
    ).toEqual([])
  })
})

describe('tests wait for conditions and do not measure time', () => {
  /** Tests that read the wall clock, and the reason. */
  const allowed = {
    'api/auto-waits.test.ts': 'sets the steady clock itself',
    'as/programs.test.ts': 'its client pauses between two polls, in virtual time',
    'browser/hostile-pages.test.ts': 'an element that never tells that it is done fails its test',
    'clients/ai-sdk-virtual-time.test.ts': 'its program waits on clocks that are not the wall clock',
    'clock-weather.test.ts': 'sets the machine’s clock back and forward',
    'explore/attach.test.ts': 'its clock is that of the world',
    'explore/lasting.test.ts':
      'its client pauses, so that an endless repetition leaves the machine to others',
    'explore/node-timers.test.ts': 'lists the timers of Node; they wait on the clock of a world',
    'explore/poll-pace.test.ts':
      'its clients rest between two polls; the rests differ by so much that no machine confuses them',
    'explore/virtual-time.test.ts': 'its program waits on clocks that are not the wall clock',
    'hard/durability.test.ts': 'ends a process that does not end by itself',
    'recordings/odd-clients.test.ts': 'one of its gateways is slow',
    'restart.test.ts': 'a clock counts at least the pause of its process',
    'unit/faults.test.ts': 'latency is wall time, and at least what was asked for',
    'unit/library-folder.test.ts': 'files have dates',
  }

  it('only listed tests look at the wall clock or sleep, each with a reason', () => {
    const wallClock = /\bperformance\.now\b|\bDate\.now\b|\bsetTimeout\b/
    const others = testFiles.filter(({ path }) => path !== 'architecture.test.ts')
    const found = others.filter(({ text }) => wallClock.test(text)).map(({ path }) => path)
    expect(testFiles.length).toBeGreaterThan(100)
    expect(found).toEqual(Object.keys(allowed))
  })
})

it('a step of recordings imports only earlier steps, types included', () => {
  const steps = ['', 'redact', 'record', 'read', 'replay', 'judge', 'learn']
  const stepOf = (path: string) => steps.indexOf(/^recordings\/([a-z]+)\//.exec(path)?.[1] ?? '')
  const files = sourceFiles.filter(({ path }) => path.startsWith('recordings/'))
  expect(new Set(files.map(({ path }) => stepOf(path))).size).toBe(steps.length)
  const found = files.flatMap(file =>
    allImports(file)
      .filter(target => target.startsWith('recordings/') && stepOf(target) > stepOf(file.path))
      .map(target => `${file.path}: ${target}`),
  )
  expect(found).toEqual([])
})

it('a test that replaces a module runs in its own process', () => {
  const config = readFileSync(new URL('../vitest.config.ts', import.meta.url), 'utf8')
  const replacing = testFiles.filter(({ text }) => /\bvi\.(mock|doMock)\('/.test(text))
  expect(replacing.length).toBeGreaterThan(0)
  expect(replacing.filter(({ path }) => !config.includes(`test/${path}`)).map(({ path }) => path)).toEqual([])
})

describe('the shape of files and names', () => {
  it('the top of src holds only the executable, the entry of the package and folders', () => {
    const top = sourceFiles.map(({ path }) => path).filter(path => !path.includes('/'))
    expect(top).toEqual(['index.ts', 'main.ts'])
  })

  it('a control resource is one file', () => {
    const files = sourceFiles.filter(({ path }) => path.startsWith('control/resources/'))
    const words = files.map(({ text }) => [
      ...new Set([...text.matchAll(/^ {2}'[A-Z]+ \/([^/']+)/gm)].map(([, word]) => word)),
    ])
    expect(words.filter(each => each.length === 0)).toEqual([])
    expect(words.flat().length).toBe(new Set(words.flat()).size)
  })

  it('state and caches of a module have a comment that says what they hold and save', () => {
    const held = /^(export )?(let \w|const \w+ = (new (Weak)?(Map|Set)(<.*>)?\(\)|once\())/
    const outside = sourceFiles.filter(({ path }) => !path.startsWith('console/'))
    const found = outside.flatMap(({ path, text }) => {
      const lines = text.split('\n')
      return lines.flatMap((line, at) => {
        if (!held.test(line)) return []
        const above = lines.slice(0, at).findLast(one => !/^(export )?(const|let) /.test(one)) ?? ''
        return [{ place: `${path}:${at + 1}`, isExplained: /^(\/\/|\/\*\*| \*)/.test(above) }]
      })
    })
    expect(found.length).toBeGreaterThan(20)
    expect(found.filter(({ isExplained }) => !isExplained).map(({ place }) => place)).toEqual([])
  })

  it('exports have names', () => {
    expect(
      offences(({ code, path }) =>
        /^export default\b/m.test(code) && !path.endsWith('vite.config.ts') ? ['default export'] : [],
      ),
    ).toEqual([])
  })

  it('no file is longer than 400 lines', () => {
    const found = offences(({ text }) => {
      const lines = text.split('\n').length - 1
      return lines > 400 ? [`${lines} lines`] : []
    })
    expect(found).toEqual([])
  })

  it('no file has a name such as utils or helpers', () => {
    expect(
      offences(({ path }) =>
        /(^|[/-])(utils?|helpers?|common|misc|manager)\b/.test(path) ? ['says nothing'] : [],
      ),
    ).toEqual([])
  })

  it('heavy packages are loaded when they are first needed, not at start', () => {
    const heavy =
      /^import\s+(?!type\b)[^'"]*from\s+'(sharp|@faker-js\/faker|fluent-ffmpeg|mediabunny|ajv|ajv-formats|yaml|prom-client|pino|express|selfsigned)'/m
    const loadedAtStart = new Set<string>()
    const visit = (path: string) => {
      const file = sourceFiles.find(one => one.path === path)
      if (!file || loadedAtStart.has(path)) return
      loadedAtStart.add(path)
      const late = new Set(
        [...file.text.matchAll(/import\(\s*'(\.[^']+)'\s*\)/g)].map(([, target = '']) => target),
      )
      for (const target of runtimeImports(file))
        if (![...late].some(name => target.endsWith(name.replace(/^[./]+/, '')))) visit(target)
    }
    visit('commands/serve.ts')
    expect(loadedAtStart.size).toBeGreaterThan(40)
    const found = sourceFiles.filter(({ path, text }) => loadedAtStart.has(path) && heavy.test(text))
    expect(found.map(({ path }) => path)).toEqual([])
  })
})

it('every file that a page or a comment names is there', () => {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  const tracked = listed.split('\n').filter(path => existsSync(join(root, path)))
  const isThere = (path: string) =>
    path.includes('/') && /^(src|test|build|docs|fixtures|scenarios|python)\//.test(path)
      ? tracked.some(one => one === path || one.startsWith(`${path}/`))
      : tracked.some(one => one === path || one.endsWith(`/${path}`))
  const named =
    /(?<![\w./@-])(?:src|test|build|docs|fixtures|scenarios|python)\/[\w./-]*\w|`[\w-][\w./-]*\.(?:ts|tsx|mjs)`/g
  const prose = tracked
    .filter(path => /\.(md|tsx?|m?js|yml|py|sh)$/.test(path) && path !== 'CHANGELOG.md')
    .flatMap(path =>
      readFileSync(join(root, path), 'utf8')
        .split('\n')
        .map(line =>
          path.endsWith('.md') ? line : (/(?:^\s*(?:\/?\*|\/\/|#)|\s\/\/\s).*/.exec(line)?.[0] ?? ''),
        )
        .flatMap(line =>
          [...line.matchAll(named)].map(([name]) => ({ path, name: name.replaceAll('`', '') })),
        ),
    )
  // Names in capitals stand for others.
  const missing = prose.filter(({ name }) => !/\b(N|NAME)\b/.test(name) && !isThere(name))
  expect(prose.length).toBeGreaterThan(200)
  expect(missing).toEqual([])
})

it('the question "did you mean" is worded in one place', () => {
  const found = sourceFiles.filter(({ text }) => /^(?!\s*(\/?\*|\/\/)).*did you mean/m.test(text))
  expect(found.map(({ path }) => path)).toEqual(['wording/did-you-mean.ts'])
})

describe('a name means one thing', () => {
  it.each(['Entry', 'ScenePlace', 'Refusal', 'MediaFault', 'Exchange', 'once'])(
    '%s is declared once',
    name => {
      const declared = new RegExp(
        `^(?:export )?(?:interface|type|class|(?:async )?function|const) ${name}\\b`,
        'gm',
      )
      const files = sourceFiles.flatMap(({ path, text }) => [...text.matchAll(declared)].map(() => path))
      expect(files).toHaveLength(1)
    },
  )
})
