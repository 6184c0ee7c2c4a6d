import { readFile } from 'node:fs/promises'
import { fixturePath } from '../../fixtures.ts'
import type { Digest } from '../recipe.ts'

let registered: Promise<ReadonlySet<Digest>> | undefined

/**
 * Whether a content is registered as the face of a real person in `fixtures/media/real-faces.json`, or its link or file name
 * says `real-face`. The emulator looks at no faces; assumption about real faces, Spec "What the service does" 6.
 */
export async function showsRealFace(digest: Digest, name: string): Promise<boolean> {
  return /real-face/i.test(name) || (await readRegistered()).has(digest)
}

function readRegistered(): Promise<ReadonlySet<Digest>> {
  registered ??= readFile(fixturePath('media/real-faces.json'), 'utf8').then(text => {
    const entries: { sha256: Digest }[] = JSON.parse(text)
    return new Set(entries.map(entry => entry.sha256))
  })
  return registered
}
