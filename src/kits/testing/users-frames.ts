import { fileURLToPath } from 'node:url'

/** Where this package lies, as frames name it. */
const own = [new URL('.', import.meta.url).href, fileURLToPath(new URL('.', import.meta.url))]

/** Rejects with an error that has frames of the user's files alone: runners print the source of the first frame. */
export async function withUsersFrames<T>(done: Promise<T>): Promise<T> {
  try {
    return await done
  } catch (error) {
    if (error instanceof Error && error.stack !== undefined)
      error.stack = error.stack
        .split('\n')
        .filter(line => !isOwnFrame(line))
        .join('\n')
    throw error
  }
}

function isOwnFrame(line: string): boolean {
  return /^ +at /.test(line) && own.some(folder => line.includes(folder))
}
