const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'no space is left on the disk'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EFBIG', 'the file may not grow any further'],
  ['EACCES', 'this user may not write there'],
  ['EPERM', 'this user may not write there'],
  ['EROFS', 'the file system is read-only'],
  ['ENOENT', 'its parent directory accepts no new directories'],
  ['ENOTDIR', 'a part of the path is a file, not a directory'],
  ['EEXIST', 'the path is a file, not a directory'],
  ['EMFILE', 'this process has too many files open'],
  ['EIO', 'the disk reported an error'],
])

/** The data directory cannot be used or written; the message says why, in a form for the command line. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError'
}

/** An error whose message says what was tried and the system's reason, in words when the code is known. */
export function asDirectoryError(attempt: string, error: unknown): DataDirectoryError {
  if (error instanceof DataDirectoryError) return error
  const reason = REASONS.get(codeOf(error) ?? '')
  const detail = error instanceof Error ? error.message : String(error)
  return new DataDirectoryError(`${attempt}: ${reason ? `${reason} (${detail})` : detail}`, { cause: error })
}

/** The system's code of an error (`ENOENT`, …); undefined when it has none. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
