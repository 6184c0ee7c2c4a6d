/** Takes switches out of arguments: returns the given switches and the remaining arguments. */
export function readSwitches<Name extends string>(
  args: readonly string[],
  known: readonly Name[],
): { given: ReadonlySet<Name>; rest: string[] } {
  const isKnown = (arg: string): arg is Name => known.some(name => name === arg)
  return { given: new Set(args.filter(isKnown)), rest: args.filter(arg => !isKnown(arg)) }
}
