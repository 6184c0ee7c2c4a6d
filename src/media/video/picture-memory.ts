/** Large pictures, such as 4k, would keep too much memory. */
const most = 4 * 1024 * 1024

/** The memory of the last picture that is no longer used, at most `most` bytes. Saves 3 of 60 ms of a 720p video: the system clears new memory slowly. */
let left: Uint8Array | undefined

/** Memory for a picture of so many bytes, with anything in it: that of an earlier picture if possible. */
export function takeMemory(bytes: number): Uint8Array {
  const taken = left?.length === bytes ? left : new Uint8Array(bytes)
  if (taken === left) left = undefined
  return taken
}

/** Leaves the memory of a picture that is no longer used to the next one. */
export function leaveMemory(memory: Uint8Array): void {
  if (memory.length <= most) left = memory
}
