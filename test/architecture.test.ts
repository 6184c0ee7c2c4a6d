import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import {
  allImports,
  codeOf,
  loadedWith,
  runtimeImports,
  type SourceFile,
  sourceFiles,
  testFiles,
} from './support/source-files.ts'

/**
 * What each room imports, types included: rooms of its own building by their names, and doors of other buildings. A door is a file that lies
 * directly in the folder of a building.
 */
const rooms: Readonly<Record<string, string>> = {
  'cli/commands':
    'emulator/gateway.ts emulator/ground.ts emulator/options.ts emulator/server.ts emulator/words.ts evidence/recordings.ts evidence/selfcheck.ts evidence/spec.ts explore/as.ts explore/catalogue.ts explore/explore.ts kits/client.ts kits/views.ts media/index.ts',
  console:
    'emulator/page.ts emulator/words.ts evidence/recordings.ts evidence/spec.ts explore/page.ts kits/views.ts',
  'emulator/conductor': 'http pipeline tasks worlds',
  'emulator/control':
    'conductor downloads evidence/recordings.ts evidence/spec.ts explore/catalogue.ts families faults guide http kits/client.ts kits/views.ts mcp media/index.ts options package pipeline scenarios tasks wording worlds',
  'emulator/downloads': 'families faults http media/index.ts package pipeline scenarios tasks worlds',
  'emulator/families':
    'evidence/spec.ts faults http media/index.ts options package pipeline scenarios tasks wording worlds',
  'emulator/faults': '',
  'emulator/guide': 'package',
  'emulator/http': 'faults wording worlds',
  'emulator/mcp': 'faults guide http kits/client.ts kits/views.ts package wording worlds',
  'emulator/options': 'package scenarios wording worlds',
  'emulator/package': '',
  'emulator/pipeline': 'faults http media/index.ts options scenarios tasks worlds',
  'emulator/scenarios': 'faults http package wording worlds',
  'emulator/server':
    'conductor control downloads explore/as.ts families guide http media/index.ts options package pipeline scenarios worlds',
  'emulator/tasks': 'faults scenarios worlds',
  'emulator/wording': '',
  'emulator/worlds': 'package',
  'evidence/recordings':
    'emulator/gateway.ts emulator/ground.ts emulator/words.ts kits/client.ts kits/views.ts media/index.ts spec',
  'evidence/selfcheck': 'emulator/words.ts recordings spec',
  'evidence/spec': 'emulator/ground.ts',
  'explore/as': 'emulator/gateway.ts emulator/ground.ts emulator/options.ts emulator/words.ts media/index.ts',
  'explore/judge': 'emulator/ground.ts emulator/words.ts kits/views.ts plan run',
  'explore/patience': 'emulator/options.ts emulator/words.ts judge kits/views.ts plan play run',
  'explore/plan': 'emulator/gateway.ts emulator/words.ts kits/client.ts kits/views.ts',
  'explore/play':
    'as emulator/gateway.ts emulator/ground.ts emulator/options.ts emulator/words.ts judge kits/client.ts kits/views.ts patience plan report run system',
  'explore/report':
    'as emulator/gateway.ts emulator/ground.ts emulator/options.ts emulator/words.ts judge kits/client.ts patience plan play run',
  'explore/run':
    'as emulator/gateway.ts emulator/ground.ts emulator/options.ts emulator/words.ts judge kits/client.ts kits/views.ts plan play',
  'explore/system':
    'emulator/gateway.ts emulator/ground.ts emulator/options.ts emulator/words.ts kits/client.ts plan play run time',
  'explore/time': 'emulator/words.ts run',
  'kits/client': 'emulator/gateway.ts emulator/ground.ts emulator/words.ts evidence/spec.ts',
  'kits/testing':
    'client emulator/gateway.ts emulator/ground.ts emulator/options.ts emulator/words.ts explore/explore.ts media/index.ts',
  'media/drawing': 'emulator/ground.ts files render',
  'media/files': 'emulator/ground.ts inputs render workers',
  'media/h264': 'render video',
  'media/images': 'drawing emulator/ground.ts layers render scenes',
  'media/inputs': 'emulator/ground.ts files render workers',
  'media/layers': 'drawing images render workers',
  'media/render': 'drawing emulator/ground.ts files h264 images scenes sound video workers',
  'media/scenes': 'drawing emulator/ground.ts',
  'media/sound': 'render scenes video',
  'media/video': 'drawing files images render scenes',
  'media/workers': 'drawing emulator/ground.ts files images inputs layers render',
}

const buildings = ['cli', 'console', 'emulator', 'evidence', 'explore', 'kits', 'media']
const buildingOf = (path: string) => path.split('/')[0] ?? ''
const isDoor = (path: string) => path.split('/').length === 2
const roomOf = (path: string) =>
  buildingOf(path) === 'console' || isDoor(path) ? buildingOf(path) : path.split('/').slice(0, 2).join('/')

/** What a file imports, as the table of rooms says it. */
const importedBy = (file: SourceFile) =>
  allImports(file).flatMap(target => {
    if (!target.includes('/') || target.endsWith('.css') || target.startsWith('..')) return []
    if (buildingOf(target) !== buildingOf(file.path)) return [target]
    const room = roomOf(target)
    return room === roomOf(file.path) ? [] : [room.slice(room.indexOf('/') + 1)]
  })

const familyOf = (path: string) => /^emulator\/families\/([^/]+)\//.exec(path)?.[1]

const offences = (found: (file: SourceFile) => string[]) =>
  sourceFiles.flatMap(file => found(file).map(offence => `${file.path}: ${offence}`))

const pathsWhere = (test: (file: SourceFile) => boolean) => sourceFiles.filter(test).map(({ path }) => path)

it('the sources are read', () => {
  expect(sourceFiles.length).toBeGreaterThan(100)
  expect(sourceFiles.flatMap(runtimeImports).length).toBeGreaterThan(200)
})

it('code in a template is read as code, and words in texts, comments and patterns are not', () => {
  const text = "const d = /['f]/ // g\nh() /* i */\n" + `const a = \`it's \${now('b')} // c\``
  expect(codeOf('a.ts', text).split('\n')).toEqual(['const d = // ', 'h() ', "const a = now('')"])
})

describe('buildings have doors, and rooms say what they import', () => {
  it('src has seven buildings, each with a page and at most six doors', () => {
    const found = [...new Set(sourceFiles.map(({ path }) => path).filter(path => path.includes('/')))]
    expect([...new Set(found.map(buildingOf))]).toEqual(buildings)
    const doors = buildings.map(one => found.filter(path => isDoor(path) && buildingOf(path) === one))
    expect(doors.filter(list => list.length > 6)).toEqual([])
    for (const one of buildings) expect(pageOf(one).split('\n').length).toBeLessThanOrEqual(41)
  })

  it('a building is entered by its doors alone, and a door imports only its own building', () => {
    const found = offences(file => {
      const outside = allImports(file).filter(
        target =>
          target.includes('/') && !target.startsWith('..') && buildingOf(target) !== buildingOf(file.path),
      )
      if (!file.path.includes('/')) return []
      if (isDoor(file.path) && buildingOf(file.path) !== 'console') return outside
      return outside.filter(target => !isDoor(target))
    })
    expect(found).toEqual([])
  })

  it('a room imports just what the table of rooms says, types included', () => {
    const found = new Map(Object.keys(rooms).map(room => [room, new Set<string>()]))
    for (const file of sourceFiles) {
      if (!file.path.includes('/') || (isDoor(file.path) && buildingOf(file.path) !== 'console')) continue
      for (const target of importedBy(file)) found.get(roomOf(file.path))?.add(target)
    }
    const rows = [...found].map(([room, targets]) => [room, [...targets].sort().join(' ')])
    expect(Object.fromEntries(rows)).toEqual(rooms)
  })

  it('no files import each other in a circle, not even types', () => {
    const imports = new Map(sourceFiles.map(file => [file.path, allImports(file)]))
    const done = new Set<string>()
    const circleFrom = (path: string, way: readonly string[]): string[] => {
      if (way.includes(path)) return [[...way.slice(way.indexOf(path)), path].join(' -> ')]
      if (done.has(path)) return []
      const found = (imports.get(path) ?? []).flatMap(target => circleFrom(target, [...way, path]))
      done.add(path)
      return found
    }
    expect(sourceFiles.flatMap(({ path }) => circleFrom(path, []))).toEqual([])
  })

  it('every file belongs to a room of the table', () => {
    const isPlaced = (path: string) => !path.includes('/') || isDoor(path) || roomOf(path) in rooms
    expect(pathsWhere(({ path }) => !isPlaced(path))).toEqual([])
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
    const serving =
      /^(emulator\/(worlds|http|tasks|pipeline|options|downloads|control|server|mcp)|media|evidence\/recordings)\//
    const examples = ['emulator/control/resources/scenarios.ts', 'emulator/control/resources/tasks.ts']
    const named = /\bfamily === '|'(a|b|c|k|special|image)(\.[a-z]+)+'/
    const isServing = (path: string) => serving.test(path) && !examples.includes(path)
    expect(pathsWhere(({ path, text }) => isServing(path) && named.test(text))).toEqual([])
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
      /^emulator\/families\/(index|facts)\.ts$/.test(file.path) || familyOf(file.path) !== undefined
        ? []
        : allImports(file).filter(target => familyOf(target) !== undefined),
    )
    expect(found).toEqual([])
    expect(runtimeImports(registry()).filter(target => familyOf(target)).length).toBeGreaterThan(0)
  })
})

function pageOf(building: string): string {
  return readFileSync(new URL(`../src/${building}/README.md`, import.meta.url), 'utf8')
}

function registry(): SourceFile {
  const file = sourceFiles.find(({ path }) => path === 'emulator/families/index.ts')
  if (!file) throw new Error('There is no registry of families')
  return file
}

describe('clocks, random numbers, processes and the network are used only at the edges', () => {
  const edges = [
    /^(main|emulator\/options\/config|emulator\/server\/closing)\.ts$/,
    /^emulator\/conductor\//,
    /^evidence\/recordings\/record\/(recorder|keep-body)\.ts$/,
    /^(cli\/commands|emulator\/worlds|console|kits\/testing)\//,
    /^media\/render\/(ahead|tools|ffmpeg|render-[a-z-]+)\.ts$/,
    /^media\/workers\//,
    /^media\/inputs\/(inputs|download|examine|track-worker|read-with-ffmpeg)\.ts$/,
    /^emulator\/control\/resources\/state\.ts$/,
    /^emulator\/scenarios\/faults\.ts$/,
    /^kits\/client\/call\.ts$/,
    /^emulator\/http\/direct\.ts$/,
    /^explore\/(play\/explore(-function)?|run\/[a-z-]+)\.ts$/,
    /^explore\/(system|time)\//,
    /^explore\/as\/preload\.ts$/,
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
    'emulator/http/direct.ts',
    'emulator/server/closing.ts',
    'emulator/server/emulator.ts',
    'emulator/server/open-port.ts',
    'evidence/recordings/record/recorder.ts',
    'evidence/recordings/replay/ask-emulator.ts',
    'explore/as/preload.ts',
    'explore/as/proxy.ts',
    'explore/system/ports.ts',
    'explore/system/ready.ts',
    'explore/time/conductor-link.ts',
    'explore/time/limits.ts',
    'explore/time/own-process.ts',
    'media/inputs/download.ts',
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
    expect(pathsWhere(asks)).toEqual(networked)
  })

  it('a command takes the environment from the options and the time from the clock', () => {
    const found = pathsWhere(
      ({ path, code }) => path.startsWith('cli/commands/') && /\bprocess\.env\b|\bDate\.now\b/.test(code),
    )
    // They hand it on to the user's program.
    expect(found).toEqual(['cli/commands/explore.ts', 'cli/commands/run.ts'])
  })

  it('only main.ts, the entry of a worker and virtual time end a process', () => {
    const may = ['main.ts', 'media/workers/render-worker.ts', 'explore/time/index.ts']
    expect(pathsWhere(({ path, code }) => !may.includes(path) && /process\.exit\(/.test(code))).toEqual([])
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
    'explore/browser-driver.test.ts': 'its page waits in virtual time',
    'explore/docs.test.ts': 'its web app waits in virtual time',
    'explore/explored-tests.test.ts': 'sets the steady clock itself',
    'explore/killed-beside.test.ts': 'its service pauses in virtual time',
    'explore/lasting.test.ts':
      'its client pauses, so that an endless repetition leaves the machine to others',
    'explore/many-requests.test.ts': 'its client rests until its first requests were looked at',
    'explore/node-timers.test.ts': 'lists the timers of Node; they wait on the clock of a world',
    'explore/one-clock-kills.test.ts': 'its programs wait on clocks that are not the wall clock',
    'explore/one-clock.test.ts': 'its programs wait on clocks that are not the wall clock',
    'explore/poll-pace.test.ts':
      'its clients rest between two polls; the rests differ by so much that no machine confuses them',
    'explore/redis-time.test.ts': 'its driver waits on clocks that are not the wall clock',
    'explore/systems-in-code.test.ts': 'the driver of its system waits in virtual time',
    'explore/unseen-processes.test.ts': 'its programs wait on clocks that are not the wall clock',
    'explore/virtual-time.test.ts': 'its program waits on clocks that are not the wall clock',
    'guide/systems.test.ts': 'the programs of its system wait in virtual time',
    'recordings/odd-clients.test.ts': 'one of its gateways is slow',
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
  const stepOf = (path: string) =>
    Math.max(0, steps.indexOf(/^evidence\/recordings\/([a-z]+)(\/|\.ts$)/.exec(path)?.[1] ?? ''))
  const files = sourceFiles.filter(({ path }) => path.startsWith('evidence/recordings/'))
  expect(new Set(files.map(({ path }) => stepOf(path))).size).toBe(steps.length)
  const found = files.flatMap(file =>
    allImports(file)
      .filter(target => target.startsWith('evidence/recordings/') && stepOf(target) > stepOf(file.path))
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
    expect(pathsWhere(({ path }) => !path.includes('/'))).toEqual(['index.ts', 'main.ts'])
  })

  it('a control resource is one file', () => {
    const files = sourceFiles.filter(({ path }) => path.startsWith('emulator/control/resources/'))
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
    const found = pathsWhere(({ code }) => /^export default\b/m.test(code))
    expect(found.filter(path => !path.endsWith('vite.config.ts'))).toEqual([])
  })

  it('no file is longer than 400 lines', () => {
    const found = offences(({ text }) => {
      const lines = text.split('\n').length - 1
      return lines > 400 ? [`${lines} lines`] : []
    })
    expect(found).toEqual([])
  })

  it('no file has a name such as utils or helpers', () => {
    const saysNothing = /(^|[/-])(utils?|helpers?|common|misc|manager)\b/
    expect(pathsWhere(({ path }) => saysNothing.test(path))).toEqual([])
  })

  it('heavy packages are loaded when they are first needed, not at start', () => {
    const heavy =
      /^import\s+(?!type\b)[^'"]*from\s+'(sharp|@faker-js\/faker|fluent-ffmpeg|mediabunny|ajv|ajv-formats|yaml|prom-client|pino|express|selfsigned)'/m
    const loadedAtStart = new Set<string>()
    const visit = (path: string) => {
      const file = sourceFiles.find(one => one.path === path)
      if (!file || loadedAtStart.has(path)) return
      loadedAtStart.add(path)
      for (const target of loadedWith(file)) visit(target)
    }
    visit('cli/commands/serve.ts')
    expect(loadedAtStart.size).toBeGreaterThan(40)
    expect(pathsWhere(({ path, text }) => loadedAtStart.has(path) && heavy.test(text))).toEqual([])
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
  const found = pathsWhere(({ text }) => /^(?!\s*(\/?\*|\/\/)).*did you mean/m.test(text))
  expect(found).toEqual(['emulator/wording/shown.ts'])
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
