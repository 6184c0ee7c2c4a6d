/** The key of an account in a world, as README and control API make them. */
export function keyIn(world: string, account: string): string {
  const key = world === 'default' ? 'sk-emulator' : `sk-test-${world}`
  return account === 'default' ? key : `${key}.${account}`
}
