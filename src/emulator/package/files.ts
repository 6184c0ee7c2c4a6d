import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the package: the nearest one above this file with a package.json, for the sources and the bundle alike. */
const packageRoot = rootAbove(dirname(fileURLToPath(import.meta.url)))

function rootAbove(folder: string): string {
  const above = dirname(folder)
  return above === folder || existsSync(join(folder, 'package.json')) ? folder : rootAbove(above)
}

/** The absolute path of a file in the package. */
export function packagePath(name: string): string {
  return join(packageRoot, name)
}

/** The absolute path of a file under the package's `fixtures/`. */
export function fixturePath(name: string): string {
  return packagePath(`fixtures/${name}`)
}

/** A JSON fixture. Fixtures are part of the package, so the caller knows their shape. */
export function readFixture<T>(name: string): T {
  return JSON.parse(readFileSync(fixturePath(name), 'utf8'))
}

/** A JSON fixture that is read on first use and kept: fixtures do not change while the process runs. */
export function lateFixture<T>(name: string): () => T {
  return late(() => readFixture<T>(name))
}

/** A function that makes its value once, when it is first called. */
export function late<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** The package's version, for health, OpenAPI and the ready line. */
export function packageVersion(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8'))
  return version
}
