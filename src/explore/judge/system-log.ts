import type { PartRun, SystemRun } from '../run/run.ts'

/** What all parts wrote last, each line after the name of its part; of a part beside only when it ended by itself or did not become ready. */
export function systemLog(
  driver: string,
  { parts, check, ended, notReady }: SystemRun,
  linesOf: (output: string) => string,
): string {
  const fallen = [...ended, notReady].map(one => one?.name)
  const told = parts.filter(({ name, isBeside }) => !isBeside || fallen.includes(name))
  const all: PartRun[] = [{ name: 'driver', output: driver, errors: '' }, ...(check ? [check] : []), ...told]
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
