// npm runs this in a clone after `npm ci` and `npm install`, and before it makes a package: also for a git address.
import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'

// A container image installs the dependencies before it has the sources; an installation for use has no build tools.
const tools = ['esbuild', 'rollup', 'typescript', '@typescript/typescript6', 'vite']
if (existsSync('src') && tools.every(name => existsSync(`node_modules/${name}`)))
  execFileSync('npm', ['run', '--silent', 'build'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })

// Only in a clone of one's own: not on CI, in a container, in a linked worktree, or without the development dependencies.
const hooks = 'node_modules/simple-git-hooks/cli.js'
const isClone = statSync('.git', { throwIfNoEntry: false })?.isDirectory()
if (isClone && !process.env.CI && existsSync(hooks)) execFileSync('node', [hooks], { stdio: 'ignore' })
