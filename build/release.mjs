// Prepares a release: checks, sets the version, commits and tags. The workflow `release` publishes what is tagged and pushed.
// Usage: npm run release -- [major | minor | patch | X.Y.Z] [--dry-run]
// Without a version: the one in package.json, which must not have been released yet. --dry-run changes nothing.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { changelogOf, nextVersion, packageProblems, withVersion } from './release-plan.mjs'

/** The files that name the version. */
const versioned = ['package.json', 'package-lock.json', 'python/pyproject.toml']
const isWindows = process.platform === 'win32'

function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8' }).trim()
}

function npm(...args) {
  return execFileSync('npm', args, {
    encoding: 'utf8',
    shell: isWindows,
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  })
}

/** What is wrong with the repository, in sentences; empty when the release can be made. */
function problemsOf({ version, isDry, changelog }) {
  const tags = git('tag', '--list', 'v*').split('\n')
  return [
    git('status', '--porcelain') !== '' && 'the tree has changes that are not committed',
    !isDry && git('branch', '--show-current') !== 'main' && 'releases are made on the branch main',
    tags.includes(`v${version}`) && `${version} was released already: name major, minor, patch or a version`,
    changelog === undefined && 'CHANGELOG.md has nothing under "## Unreleased"',
  ].filter(Boolean)
}

const readText = path => readFileSync(path, 'utf8')

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false } },
  })
  release(positionals[0], values['dry-run'])
} catch (error) {
  console.error(`release: ${error.message}`)
  process.exitCode = 1
}

function release(asked, isDry) {
  const present = JSON.parse(readText('package.json')).version
  const version = nextVersion(present, asked)
  const date = new Date().toISOString().slice(0, 10)
  const changelog = changelogOf(readText('CHANGELOG.md'), { version, date })
  refuseFor(problemsOf({ version, isDry, changelog }))
  // Last, because packing takes a while.
  const [packed] = Object.values(JSON.parse(npm('pack', '--dry-run', '--json', '--silent')))
  refuseFor(packageProblems(packed.files.map(({ path }) => path)))
  const files = {
    'CHANGELOG.md': changelog,
    ...Object.fromEntries(versioned.map(path => [path, withVersion(path, readText(path), version)])),
  }
  const changed = Object.keys(files).filter(path => files[path] !== readText(path))
  console.log(`${isDry ? 'Would release' : 'Releasing'} ${version} (package.json says ${present}):
  package   ${packed.files.length} files, ${(packed.size / 1e6).toFixed(1)} MB packed, ${(packed.unpackedSize / 1e6).toFixed(1)} MB unpacked
  change    ${changed.join(', ')}
  commit    chore(release): ${version}
  tag       v${version}
  then      git push --follow-tags, and the workflow tests the tag, and publishes the npm package, the Python package and the image for amd64 and arm64`)
  if (!isDry) commit(version, { files, changed })
}

function refuseFor(problems) {
  if (problems.length > 0) throw new Error(problems.join('\nrelease: '))
}

function commit(version, { files, changed }) {
  for (const path of changed) writeFileSync(path, files[path])
  git('add', ...changed)
  git('commit', '--message', `chore(release): ${version}`)
  git('tag', '--annotate', `v${version}`, '--message', `Version ${version}`)
}
