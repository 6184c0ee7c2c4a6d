import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  allImports,
  runtimeImports,
  type SourceFile,
  sourceFiles,
  testFiles,
} from './support/source-files.ts'

/**
 * The rooms, from the ground up: a file may import at run time the files of its own row and of lower rows
 * (`main, index → server → control, downloads → families → http, tasks, media, scenarios → worlds`). Types may be imported from anywhere.
 */
const rooms: readonly (readonly RegExp[])[] = [
  [
    /^(assumptions|contract|faults|package|wording)\//,
    /^media\/once\.ts$/,
    /^server\/(log|request-log|tls)\.ts$/,
    /^options\/usage-error\.ts$/,
  ],
  [/^worlds\//, /^media\/media-facts\.ts$/],
  [
    /^(http|tasks|media|scenarios)\//,
    /^options\/(config|flags|table|read-value|read-yaml)\.ts$/,
    /^server\/(services|exchange|pipeline|scenario-step|early-reply|writer|journal-entry)\.ts$/,
  ],
  [/^families\//],
  [
    /^(client|control|downloads|explore|guide|mcp)\//,
    /^server\/(emulated|preflight|unknown-path|welcome|pages|console-pages|guide-pages|page-headers)\.ts$/,
    /^recordings\/(har|describe-media|entry|journal-har|operation|pseudonyms|read-json|redact-\w+|redactor|secret-names)\.ts$/,
  ],
  [/^server\/(app|emulator|closing|listen-error|loopback)\.ts$/],
  [
    /^(main|index)\.ts$/,
    /^options\/start-options\.ts$/,
    /^(commands|selfcheck|testing|console|recordings|virtual-time)\//,
  ],
]

const floorOf = (path: string) => rooms.findIndex(row => row.some(pattern => pattern.test(path)))
const familyOf = (path: string) => /^families\/([^/]+)\//.exec(path)?.[1]

const offences = (found: (file: SourceFile) => string[]) =>
  sourceFiles.flatMap(file => found(file).map(offence => `${file.path}: ${offence}`))

it('the sources are read', () => {
  expect(sourceFiles.length).toBeGreaterThan(100)
  expect(sourceFiles.flatMap(runtimeImports).length).toBeGreaterThan(200)
})

describe('the direction of imports (architecture, section 2)', () => {
  it('every file belongs to a room', () => {
    expect(offences(file => (floorOf(file.path) < 0 ? ['belongs to no room'] : []))).toEqual([])
  })

  it('nothing imports from a higher room at run time', () => {
    const found = offences(file =>
      runtimeImports(file).filter(target => floorOf(target) > floorOf(file.path)),
    )
    expect(found).toEqual([])
  })

  it('tasks and worlds know nothing of HTTP, not even types', () => {
    const found = offences(file =>
      /^(tasks|worlds)\//.test(file.path)
        ? allImports(file).filter(target => /^(http|server|control|downloads|families)\//.test(target))
        : [],
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

describe('clocks, random numbers, files and the network are used only at the edges (architecture, section 5)', () => {
  const edges = [
    /^(main|options\/config|server\/(closing|request-log))\.ts$/,
    /^recordings\/(recorder|pass-on|keep-body|replay)\.ts$/,
    /^(commands|worlds|console|testing)\//,
    /^media\/(inputs|ahead|tools|ffmpeg)\.ts$/,
    /^media\/workers\//,
    /^media\/inputs\/deadline\.ts$/,
    /^media\/inputs\/read-with-ffmpeg\.ts$/,
    /^media\/render-[a-z-]+\.ts$/,
    /^control\/state\/state-(check|text)\.ts$/,
    /^scenarios\/faults\.ts$/,
    /^client\/client\.ts$/,
    /^explore\/(explore|files-ready|run-command|run-function)\.ts$/,
    /^virtual-time\//,
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
    fetch: /(?<![.\w])fetch\(/,
    spawn: /\b(spawn|execFile|fork)\(/,
  }

  it.each(Object.entries(calls))('%s', (_, pattern) => {
    const inside = sourceFiles.filter(({ path }) => !edges.some(edge => edge.test(path)))
    expect(inside.length).toBeGreaterThan(80)
    expect(inside.filter(({ code }) => pattern.test(code)).map(({ path }) => path)).toEqual([])
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

describe('tests wait for conditions and do not measure time (style, "Tests")', () => {
  /** Tests that read the wall clock, and the reason. */
  const allowed = {
    'clients/ai-sdk-virtual-time.test.ts': 'its program waits on clocks that are not the wall clock',
    'explore/attach.test.ts': 'its clock is that of the world',
    'explore/lasting.test.ts':
      'its client pauses, so that an endless repetition leaves the machine to others',
    'explore/poll-pace.test.ts':
      'its clients rest between two polls; the rests differ by so much that no machine confuses them',
    'explore/virtual-time.test.ts': 'its program waits on clocks that are not the wall clock',
    'hard/durability.test.ts': 'ends a process that does not end by itself',
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

it('a test that replaces a module runs in its own process', () => {
  const config = readFileSync(new URL('../vitest.config.ts', import.meta.url), 'utf8')
  const replacing = testFiles.filter(({ text }) => /\bvi\.(mock|doMock)\('/.test(text))
  expect(replacing.length).toBeGreaterThan(0)
  expect(replacing.filter(({ path }) => !config.includes(`test/${path}`)).map(({ path }) => path)).toEqual([])
})

describe('shape (style)', () => {
  it('the top of src holds only the executable, the entry of the package and folders', () => {
    const top = sourceFiles.map(({ path }) => path).filter(path => !path.includes('/'))
    expect(top).toEqual(['index.ts', 'main.ts'])
  })

  it('a control resource is one file (house, "Layout")', () => {
    const files = sourceFiles.filter(({ path }) => path.startsWith('control/resources/'))
    const words = files.map(({ text }) => [
      ...new Set([...text.matchAll(/paths: \['\/([^/']+)/g)].map(([, word]) => word)),
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

  it('no file is longer than 250 lines; the tables of assumptions are prose', () => {
    const found = offences(({ path, text }) => {
      const lines = text.split('\n').length - 1
      return lines > 250 && !path.startsWith('assumptions/') ? [`${lines} lines`] : []
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

  it('heavy packages are loaded when they are first needed, not at start (brief start-up)', () => {
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

it('the question "did you mean" is worded in one place (house, "Delete")', () => {
  const found = sourceFiles.filter(({ text }) => /^(?!\s*(\/?\*|\/\/)).*did you mean/m.test(text))
  expect(found.map(({ path }) => path)).toEqual(['wording/did-you-mean.ts'])
})

describe('a name means one thing (architecture, "Names")', () => {
  it.each(['Entry', 'Place', 'Refusal', 'MediaFault', 'Exchange', 'once'])('%s is declared once', name => {
    const declared = new RegExp(
      `^(?:export )?(?:interface|type|class|(?:async )?function|const) ${name}\\b`,
      'gm',
    )
    const files = sourceFiles.flatMap(({ path, text }) => [...text.matchAll(declared)].map(() => path))
    expect(files).toHaveLength(1)
  })
})
