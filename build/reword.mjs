// Shows that no verdict, form or comparison hangs on how a message is worded: rewords the texts of a copy of the sources, and runs the
// suites of the explorer, of the recordings and of the console there. `npm run reword -- [files of tests]`.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseSync } from 'vite'

/** Where the texts stand that people read and no program may: messages, notes, descriptions. */
const reworded =
  /^src\/(?:emulator\/(?:control|downloads|families|faults|http|pipeline|scenarios|tasks|wording|worlds)|media\/inputs)\//
/** Texts that are data: the words by which a prompt is answered, messages of upstream, endings of files. */
const data = /\/(?:c-generation\/enhance|images\/layers|inputs\/formats)\.ts$/
const suites = ['test/explore', 'test/recordings', 'test/browser']

const prose = /^(?!.*(?:^| )-\w+ ).*[A-Za-z]{2,}[,;:]? [A-Za-z]{2,}/s
const newWords = new Set()
const pairs = new Set()

/** Another word of the same length and case. */
function otherWord(word) {
  const turned = word.replace(/[a-z]/gi, letter => {
    const start = letter <= 'Z' ? 65 : 97
    return String.fromCharCode(((letter.charCodeAt(0) - start + 13) % 26) + start)
  })
  newWords.add(turned)
  return turned
}

function noted(text) {
  for (const pair of pairsOf(text)) pairs.add(pair)
  return text
}

/** A text with other words. Names in backquotes, tags and everything that is no plain word stay. */
function rewordedText(text) {
  return text.replace(
    /`[^`]*`|\\`.*?\\`|<[^>]*>|\\[nt]|(?<![\w./:@#$%&=\\-])[A-Za-z][a-z]+(?![\w/=[\\(-]|[.:]\w)/g,
    part => (/^[A-Za-z]+$/.test(part) ? otherWord(part) : part),
  )
}

/** The places of texts below a node of the syntax tree. A template is read as a whole, so that each of its parts is a text when it is one. */
function textsBelow(node) {
  if (Array.isArray(node)) return node.flatMap(textsBelow)
  if (typeof node !== 'object' || node === null) return []
  if (/^(?:Import|Export(?:All|Named))Declaration$/.test(node.type) && node.source) return []
  if (node.type === 'TemplateLiteral') {
    const isProse = prose.test(node.quasis.map(({ value }) => value.raw).join(' x '))
    return [...(isProse ? node.quasis : []), ...node.expressions.flatMap(textsBelow)]
  }
  if (node.type === 'Literal') return typeof node.value === 'string' && prose.test(node.value) ? [node] : []
  return Object.values(node).flatMap(textsBelow)
}

function rewordedSource(path, text) {
  const places = textsBelow(parseSync(path, text).program).sort((a, b) => a.start - b.start)
  const parts = places.flatMap(({ start, end }, i) => [
    text.slice(places[i - 1]?.end ?? 0, start),
    rewordedText(noted(text.slice(start, end))),
  ])
  return [...parts, text.slice(places.at(-1)?.end ?? 0)].join('')
}

const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n')
const folder = await mkdtemp(join(tmpdir(), 'reworded-'))
try {
  for (const file of files) await cp(file, join(folder, file), { recursive: true })
  await linkPackages(join(folder, 'node_modules'))
  for (const file of files.filter(one => reworded.test(one) && one.endsWith('.ts') && !data.test(one)))
    await writeFile(join(folder, file), rewordedSource(file, await readFile(file, 'utf8')))
  // All of it, as before a run of all tests: reports of explore hold pages of the console, and copied tests are checked by the declarations.
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: folder, stdio: 'inherit' })
  const results = join(folder, 'results.json')
  const wanted = process.argv.length > 2 ? process.argv.slice(2) : suites
  spawnSync(
    'node',
    ['node_modules/vitest/vitest.mjs', 'run', ...wanted, '--reporter=json', `--outputFile=${results}`],
    {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, npm_lifecycle_event: 'test' },
    },
  )
  report(JSON.parse(await readFile(results, 'utf8')))
} finally {
  if (process.env.KEEP_REWORDED) console.log(`kept: ${folder}`)
  else await rm(folder, { recursive: true, force: true })
}

/** Links to the packages. What tests write beside them lies in the copy, and translated sources are shared. */
async function linkPackages(to) {
  await mkdir(join(to, '.cache'), { recursive: true })
  const names = (await readdir('node_modules')).filter(name => name !== '.cache')
  const kept = await readdir('node_modules/.cache').catch(() => [])
  for (const name of [...names, ...kept.filter(one => one.startsWith('vitest-')).map(one => `.cache/${one}`)])
    await symlink(resolve('node_modules', name), join(to, name))
}

/** Failures that quote words that were reworded, or whose statement in the test does, expect a text; the others read one. */
function report({ testResults, numTotalTests }) {
  const failures = testResults.flatMap(({ name, message, assertionResults }) => [
    ...(assertionResults.length === 0 ? [{ title: name, text: message }] : []),
    ...assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => ({ title: fullName, text: failureMessages.join('\n') })),
  ])
  const others = failures.filter(({ text }) => !expectsText(text))
  console.log(
    `${numTotalTests} tests, ${failures.length - others.length} expect a text themselves, ${others.length} fail otherwise`,
  )
  for (const one of failures) {
    const lines = one.text.split('\n').slice(0, 6).join('\n    ')
    console.log(`${others.includes(one) ? 'OTHER' : 'text'}  ${one.title}\n    ${lines}`)
  }
  process.exitCode = others.length > 0 || numTotalTests === 0 ? 1 : 0
}

function expectsText(failure) {
  // Vitest's words for a test that took too long.
  if (failure.startsWith('Error: STACK_TRACE_ERROR')) return false
  const [, file, line] = /((?:\/|[A-Z]:)[^\s():]*\.test\.ts):(\d+)/.exec(failure) ?? []
  const near =
    file && existsSync(file)
      ? readFileSync(file, 'utf8')
          .split('\n')
          .slice(line - 1)
      : []
  // What a library says of two values is no text of the emulator.
  const [message = ''] = failure.split(/\n\s+at /)
  const said = [
    message.replace(/ (?:to|not) (?:be|contain|deeply|have|include|match|strictly|throw)\b/g, '\n'),
    statementIn(near),
  ]
    .flatMap(text => text.match(/'[^'\n]*'|"[^"\n]*"|`[^`\n]*`|\/[^/\n]+\//g) ?? [])
    .join('\n')
  return (
    (said.match(/[a-z]{4,}/gi) ?? []).some(word => newWords.has(word)) ||
    pairsOf(said).some(pair => pairs.has(pair))
  )
}

/** The first lines, up to the one that closes what the first opens. */
function statementIn(lines) {
  let depth = 0
  const end = lines.findIndex(line => {
    depth += (line.match(/[([{]/g) ?? []).length - (line.match(/[)\]}]/g) ?? []).length
    return depth <= 0
  })
  return lines.slice(0, end + 1).join('\n')
}

/** Each two neighbouring words of a text. */
function pairsOf(text) {
  const words = text.match(/[a-z]{2,}/gi) ?? []
  return words.slice(1).map((word, i) => `${words[i]} ${word}`)
}
