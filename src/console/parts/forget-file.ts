/** For a click on a file field: without it, choosing the same file again is no change, and an edited file could not be opened again. */
export function forgetFile({ currentTarget }: { currentTarget: HTMLInputElement }): void {
  currentTarget.value = ''
}
