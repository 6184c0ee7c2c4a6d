import type { NewEntry } from '../../src/emulator/worlds/journal.ts'

/** A poll at moment 0, as the pipeline hands it to the journal, with changes. */
export function entryWith(changes: Partial<NewEntry> = {}): NewEntry {
  return {
    at: 0,
    account: 'default',
    operation: 'a.get',
    method: 'GET',
    url: '/x',
    status: 200,
    requestId: 'r',
    startedMs: 0,
    durationMs: 1,
    requestHeaders: [],
    requestBody: undefined,
    responseHeaders: {},
    responseBody: undefined,
    ...changes,
  }
}
