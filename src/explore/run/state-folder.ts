import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where programs keep what they remember. */
export interface States {
  /** A folder as it was before the first run, for one case with all its lives. */
  open(): Promise<StateFolder>
  /** Puts the user's own folder back; it may be opened again. */
  end?(): Promise<void>
}

/** The folder in which the program of one case keeps what it remembers. */
export interface StateFolder {
  path: string
  /** The case is over. */
  close(): Promise<void>
}

/** A new and empty folder for each case, which is removed after it. */
export const emptyStates: States = {
  async open() {
    const path = await mkdtemp(join(tmpdir(), 'gateway-emulator-state-'))
    return { path, close: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) }
  },
}
