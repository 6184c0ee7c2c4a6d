import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type GatewayEntry, openHarFile, readHarFile } from '../../src/evidence/recordings/har.ts'
import { startRecorder } from '../../src/evidence/recordings/record/recorder.ts'
import { createRedactor } from '../../src/evidence/recordings/redact/redactor.ts'

/** A recorder in this process. */
export interface TestRecorder {
  url: string
  path: string
  entries(): Promise<GatewayEntry[]>
  /** Ends it. The file stays until `drop`. */
  close(): Promise<void>
  drop(): void
}

/** Records the requests to a gateway into its own file. */
export async function recordAt(
  upstream: string,
  kept: string[] = [],
  prompts: 'kept' | 'redacted' = 'redacted',
): Promise<TestRecorder> {
  const folder = mkdtempSync(join(tmpdir(), 'recording-'))
  const path = join(folder, 'made.har')
  const file = await openHarFile(path)
  const errors: unknown[] = []
  const { url, close } = await startRecorder({
    upstream: new URL(upstream),
    host: '127.0.0.1',
    port: 0,
    file,
    redactor: createRedactor({ prompts, kept }),
    onError: error => errors.push(error),
  })
  return {
    url,
    path,
    entries: async () => (await readHarFile(path)).log.entries,
    async close() {
      await close()
      await file.close()
      if (errors.length > 0) throw new AggregateError(errors)
    },
    drop: () => rmSync(folder, { recursive: true, force: true }),
  }
}
