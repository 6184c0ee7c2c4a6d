import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ownFolder } from './folders.ts'
import { root } from './fresh-build.ts'
import { blocksOf, guideFiles } from './guide-files.ts'
import { type Ended, heard, run } from './run.ts'

/** Somebody who has just cloned the repository, and an empty folder beside the clone for a project. */
export interface Stranger {
  clone: string
  project: string
}

/** The files of a new clone of the present sources and what `npm ci` puts beside them: dependencies, and what `prepare` builds. */
export function newStranger(): Stranger {
  const home = ownFolder('gateway-stranger')
  const clone = join(home, 'generation-gateway-emulator')
  const project = join(home, 'project')
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const file of listed.split('\0').filter(name => name !== '' && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(clone, file)), { recursive: true })
    cpSync(join(root, file), join(clone, file))
  }
  cpSync(join(root, 'dist'), join(clone, 'dist'), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'), 'dir')
  mkdirSync(project)
  return { clone, project }
}

/** The variables of a person's shell: without those that this test run has set, and with the certificates that it set aside. */
export function plainEnvironment(): Record<string, string | undefined> {
  const plain = Object.entries(process.env).filter(([name]) => !/^npm_|^VITEST/.test(name))
  const { TEST_CA_CERTS: certificates } = process.env
  const quick = { npm_config_prefer_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' }
  return {
    ...Object.fromEntries(plain),
    ...quick,
    ...(certificates && { NODE_EXTRA_CA_CERTS: certificates }),
  }
}

/** Runs lines of a shell as they were pasted. */
export function paste(lines: string, cwd: string, environment: Record<string, string> = {}): Promise<Ended> {
  return run('bash', ['-c', `set -e\n${lines}`], { cwd, env: { ...plainEnvironment(), ...environment } })
}

/** Starts a command of a shell without a terminal, and gives what it prints; ends it and all that it started. */
export function pasteAndLeave(line: string, cwd: string, environment: Record<string, string>) {
  const child = spawn('bash', ['-c', line], {
    cwd,
    env: { ...plainEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const { ended } = heard(child)
  return {
    async end(): Promise<string> {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
      const { stdout, stderr } = await ended
      return stdout + stderr
    },
  }
}

/** The blocks of the README below one of its headings, in their order. */
export function readmeBlocks(title: string): string[] {
  const readme = guideFiles.find(({ path }) => path === 'README.md')
  const [, chapter] =
    new RegExp(`^## ${title}\n([\\s\\S]*?)(?=^## |$(?![\\s\\S]))`, 'm').exec(readme?.text ?? '') ?? []
  if (chapter === undefined) throw new Error(`The README has no chapter "${title}"`)
  return blocksOf({ path: 'README.md', text: chapter }).map(block => block.text)
}
