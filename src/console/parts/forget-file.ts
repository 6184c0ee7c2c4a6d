/** Clears a file field when it is clicked. Otherwise the browser sends no event when the same file is chosen again, and an edited file could not be opened again. */
export function forgetFile({ currentTarget }: { currentTarget: HTMLInputElement }): void {
  currentTarget.value = ''
}
