import { join } from 'node:path'
import { type GatewayEntry, openHarFile, readHarFile } from '../../src/evidence/recordings/har.ts'
import { startRecorder } from '../../src/evidence/recordings/record/recorder.ts'
import { createRedactor } from '../../src/evidence/recordings/redact/redactor.ts'
import { ownFolder } from './folders.ts'
import type { Gateway } from './gateway.ts'
import { type Traveller, traveller } from './journey.ts'

/** The requests of a client on a journey through a recorder. A journey that fails is recorded to its end. */
export async function recordedOn(
  journey: (to: Traveller) => Promise<unknown>,
  gateway: Pick<Gateway, 'url' | 'control'>,
  upstream = gateway.url,
  prompts?: 'kept',
): Promise<GatewayEntry[]> {
  const recorder = await recordAt(upstream, [], prompts)
  await journey(traveller(gateway, recorder.url, 0)).finally(recorder.close)
  return recorder.entries()
}

/** The recordings of jobs, each of which is made once, by `record`. */
export function recordedOnce<Job>(record: (job: Job) => Promise<GatewayEntry[]>) {
  const recordings = new Map<Job, Promise<GatewayEntry[]>>()
  return (job: Job): Promise<GatewayEntry[]> => {
    const known = recordings.get(job) ?? record(job)
    recordings.set(job, known)
    return known
  }
}

/** Records the requests to a gateway into its own file, in this process. */
export async function recordAt(
  upstream: string,
  kept: string[] = [],
  prompts: 'kept' | 'redacted' = 'redacted',
) {
  const folder = ownFolder('recording')
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
  }
}
