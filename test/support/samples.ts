import type { WorldClient } from '../../src/index.ts'

/** The sample files that an emulator serves as inputs. */
export function samplesOf({ baseUrl }: Pick<WorldClient, 'baseUrl'>) {
  const url = (name: string) => `${baseUrl}/__emulator/samples/${name}`
  return {
    url,
    async bytes(name: string): Promise<Uint8Array> {
      const reply = await fetch(url(name))
      if (!reply.ok) throw new Error(`There is no sample ${name}`)
      return new Uint8Array(await reply.arrayBuffer())
    },
  }
}
