import { allImports, sourceFiles } from '../test/support/source-files.ts'

/*
 * Shows which folders of `src` import each other in a circle, types included: `npm run circles`. It ends with 1 when there is one.
 */

/** By folder of `src`: the folders that its files import, each with one such file. */
const imported = new Map<string, Map<string, string>>()
for (const file of sourceFiles) {
  const from = folderOf(file.path)
  const targets = imported.get(from) ?? new Map<string, string>()
  imported.set(from, targets)
  for (const target of allImports(file))
    if (folderOf(target) !== from) targets.set(folderOf(target), file.path)
}

const circles = [...imported.keys()].flatMap(folder => wayBack(folder) ?? [])
for (const circle of circles) console.log(circle)
console.log(
  `${sourceFiles.length} files in ${imported.size} folders of src, types included: ${circles.length === 0 ? 'no circle' : `${circles.length} folders are in a circle`}`,
)
process.exitCode = circles.length === 0 ? 0 : 1

function folderOf(path: string): string {
  return path.split('/')[0] ?? ''
}

/** The shortest way from a folder back to it, with the files that import; undefined when there is none. */
function wayBack(start: string): string | undefined {
  const ways = [{ at: start, text: start }]
  const seen = new Set<string>()
  for (const { at, text } of ways)
    for (const [next, file] of imported.get(at) ?? []) {
      const longer = `${text} -> ${next} (${file})`
      if (next === start) return longer
      if (!seen.has(next)) ways.push({ at: next, text: longer })
      seen.add(next)
    }
  return undefined
}
