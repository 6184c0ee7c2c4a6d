import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The absolute path of something that comes with the package. Sources and the bundle both lie one folder below its root. */
export function packagePath(name: string): string {
  return fileURLToPath(new URL(`../${name}`, import.meta.url))
}

/** The absolute path of something under the package's own `fixtures/`. */
export function fixturePath(name: string): string {
  return packagePath(`fixtures/${name}`)
}

/** A JSON fixture. They are part of the package, so their shape is known to whoever asks. */
export function readFixture<T>(name: string): T {
  return JSON.parse(readFileSync(fixturePath(name), 'utf8'))
}

/** The package's version, as health, OpenAPI and the ready line tell it. */
export function packageVersion(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8'))
  return version
}
