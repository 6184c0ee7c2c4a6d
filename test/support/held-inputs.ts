import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { basename } from 'node:path'
import { afterAll, vi } from 'vitest'
import { startInputServer } from './input-server.ts'

/** A host of sample files that answers only after `release`. */
export interface HeldInputs {
  origin: string
  /** Resolves when a request for a file is waiting. */
  asked(): Promise<void>
  /** Answers all waiting requests. */
  release(): void
}

/** Serves the sample media on the loopback address, each request only after `release`. It is closed after the file's tests. */
export async function holdInputs(): Promise<HeldInputs> {
  const waiting: [path: string, response: ServerResponse][] = []
  const server = await startInputServer((request, response) => {
    waiting.push([request.url ?? '', response])
  })
  afterAll(() => server.close())
  return {
    origin: server.origin,
    asked: () =>
      vi.waitFor(
        () => {
          if (waiting.length === 0) throw new Error('no input was asked for')
        },
        { timeout: 10_000 },
      ),
    release() {
      for (const [path, response] of waiting.splice(0))
        response.end(readFileSync(`fixtures/media/samples/${basename(path)}`))
    },
  }
}
