import { existsSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'

/** Where the user's files lie in their repository, as annotations and SARIF name them. */
export interface Repository {
  /** The path of a file of a cause from the root of the repository, with `/`; undefined when it lies outside. */
  pathOf(file: string): string | undefined
  /** The path of the program that a command starts; undefined when the command names no file of the repository. */
  programOf(command: string): string | undefined
}

/** The repository of the working folder: the nearest folder above with `.git`, else the working folder itself. */
export function repositoryHere(folder: string = process.cwd()): Repository {
  const root = rootOf(folder) ?? folder
  const pathOf = (file: string) => {
    const path = relative(root, resolve(folder, file))
    if (path === '' || path.startsWith('..') || isAbsolute(path)) return undefined
    return existsSync(join(root, path)) ? path.split(sep).join('/') : undefined
  }
  return {
    pathOf,
    programOf: command =>
      (command.match(/'[^']*'|"[^"]*"|\S+/g) ?? [])
        .map(word => word.replace(/^['"]|['"]$/g, ''))
        .filter(word => /\.\w+$/.test(word))
        .map(pathOf)
        .find(path => path !== undefined),
  }
}

function rootOf(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder
  const parent = dirname(folder)
  return parent === folder ? undefined : rootOf(parent)
}
