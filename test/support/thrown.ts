/** The error of this class that an act throws; fails when it throws none. */
export function thrownBy<E extends Error>(act: () => unknown, kind: new (...args: never[]) => E): E {
  try {
    act()
  } catch (error) {
    if (error instanceof kind) return error
    throw error
  }
  throw new Error('nothing was thrown')
}
