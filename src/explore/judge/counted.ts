/** `1 case`, `2 cases`. */
export function counted(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}

/** A sum of credits without the noise of its addition. */
export function rounded(credits: number): number {
  return Math.round(credits * 1000) / 1000
}
