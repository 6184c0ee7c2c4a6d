// Keeps built parts of `dist` in node_modules/.cache/built under a digest of everything that they are made from, so that the same
// sources are built once: also after another branch was looked at, and in a clone that shares node_modules.
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join, relative } from 'node:path'

/** Builds of that many states of the sources are kept. */
const most = 3

/** Which entries of `dist` belong to a part. */
const belongs = {
  code: entry => !['console', 'console-next'].includes(entry) && !entry.endsWith('.d.ts'),
  types: entry => entry.endsWith('.d.ts'),
  console: entry => entry === 'console',
}

/** A digest of the names and contents of files and folders, of the installed packages, and of the version of Node. */
export function digestOf(root, names) {
  const hash = createHash('sha256').update(process.version)
  const installed = 'node_modules/.package-lock.json'
  for (const name of [...names, installed].sort())
    for (const file of filesIn(join(root, name)))
      hash
        .update(`\0${relative(root, file)}\0`)
        .update(createHash('sha256').update(readFileSync(file)).digest())
  return hash.digest('hex').slice(0, 32)
}

function filesIn(path) {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return []
  if (found.isFile()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap(entry => filesIn(join(path, entry)))
}

/** Puts a kept part into `dist`, the file `made` last. False when it was not kept. */
export function restore(root, { part, made, digest }) {
  const kept = join(root, 'node_modules/.cache/built', digest, part)
  if (!existsSync(kept)) return false
  const dist = join(root, 'dist')
  mkdirSync(dist, { recursive: true })
  const last = join(root, made)
  for (const entry of readdirSync(dist).filter(belongs[part]))
    rmSync(join(dist, entry), { recursive: true, force: true })
  cpSync(kept, dist, { recursive: true, filter: (_, to) => to !== last })
  cpSync(join(kept, relative(dist, last)), last)
  return true
}

/** Keeps a part that was built a moment ago, and drops the oldest builds. A clone that borrows node_modules has other paths in what it builds. */
export function keep(root, { part, digest }) {
  if (lstatSync(join(root, 'node_modules')).isSymbolicLink()) return
  const builds = join(root, 'node_modules/.cache/built')
  const next = join(builds, `${digest}.next`)
  rmSync(next, { recursive: true, force: true })
  mkdirSync(next, { recursive: true })
  for (const entry of readdirSync(join(root, 'dist')).filter(belongs[part]))
    cpSync(join(root, 'dist', entry), join(next, entry), { recursive: true })
  const kept = join(builds, digest)
  mkdirSync(kept, { recursive: true })
  rmSync(join(kept, part), { recursive: true, force: true })
  renameSync(next, join(kept, part))
  const others = readdirSync(builds)
    .filter(name => name !== digest)
    .map(name => ({ path: join(builds, name), changedAt: statSync(join(builds, name)).mtimeMs }))
    .sort((one, other) => other.changedAt - one.changedAt)
  for (const { path } of others.slice(most - 1)) rmSync(path, { recursive: true, force: true })
}
