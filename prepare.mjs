// npm runs this in a clone after `npm ci` and `npm install`, and before it makes a package.
import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import './build-if-stale.mjs'

// Only in a clone of one's own: not on CI, in a container, in a linked worktree, or without the development dependencies.
const hooks = 'node_modules/simple-git-hooks/cli.js'
const isClone = statSync('.git', { throwIfNoEntry: false })?.isDirectory()
if (isClone && !process.env.CI && existsSync(hooks)) execFileSync('node', [hooks], { stdio: 'ignore' })
