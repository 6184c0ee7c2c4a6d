/** The version of a release: `asked` is a part to raise, a version, or undefined for the present one. Throws for another word and for a version that is not higher. */
export function nextVersion(present, asked) {
  if (asked === undefined) return present
  const parts = partsOf(present)
  const raised = {
    major: [parts[0] + 1, 0, 0],
    minor: [parts[0], parts[1] + 1, 0],
    patch: [parts[0], parts[1], parts[2] + 1],
  }
  const next = raised[asked] ?? partsOf(asked)
  const higher = next.findIndex((part, index) => part !== parts[index])
  if (higher < 0 || next[higher] < parts[higher]) throw new Error(`${asked} is not higher than ${present}`)
  return next.join('.')
}

function partsOf(version) {
  const found = /^(\d+)\.(\d+)\.(\d+)$/.exec(version)
  if (!found)
    throw new Error(`${JSON.stringify(version)} is not major, minor, patch or a version such as 1.2.3`)
  return found.slice(1).map(Number)
}

/** The changelog with what is unreleased under the new version; undefined when nothing is. */
export function changelogOf(text, { version, date }) {
  const [, before, unreleased, rest] =
    /^([\s\S]*?)^## Unreleased\n([\s\S]*?)(^## [\s\S]*)?$(?![\s\S])/m.exec(text) ?? []
  if (unreleased === undefined || unreleased.trim() === '') return undefined
  return `${before}## Unreleased\n\n## ${version} (${date})\n${unreleased}${rest ?? ''}`
}

/** A file that names the version of the package, with another one. */
export function withVersion(path, text, version) {
  if (path.endsWith('.toml')) return text.replace(/^version = "[^"]*"$/m, `version = "${version}"`)
  const document = JSON.parse(text)
  document.version = version
  if (document.packages?.['']) document.packages[''].version = version
  return `${JSON.stringify(document, null, 2)}\n`
}

const needed = [
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'action.yml',
  'llms.txt',
  'dist/main.js',
  'dist/index.js',
  'dist/index.d.ts',
  'dist/console/index.html',
  'scenarios/happy-path.yaml',
  'fixtures/docker/Dockerfile',
  'python/pyproject.toml',
]
const unwanted = /^(src|test|build|node_modules|\.github|\.ci)\/|\.map$|__pycache__|\.tgz$|(^|\/)\.env/

/** What is wrong with the files of a package, in sentences. */
export function packageProblems(paths) {
  return [
    ...needed.filter(path => !paths.includes(path)).map(path => `the package lacks ${path}`),
    ...paths.filter(path => unwanted.test(path)).map(path => `the package must not hold ${path}`),
  ]
}
