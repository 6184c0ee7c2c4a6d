import type { PartRun, SystemRun } from '../run/run.ts'

/** What all parts wrote last, each line after the name of its part. */
export function systemLog(
  driver: string,
  { parts, check }: SystemRun,
  linesOf: (output: string) => string,
): string {
  const all: PartRun[] = [{ name: 'driver', output: driver, errors: '' }, ...(check ? [check] : []), ...parts]
  return all
    .flatMap(({ name, output }) =>
      output.trim() === ''
        ? []
        : linesOf(output)
            .split('\n')
            .map(line => `${name} | ${line}`),
    )
    .join('\n')
}
