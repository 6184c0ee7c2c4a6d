import { vi } from 'vitest'

/** Runs a command of this process; gives its exit code and what it printed. */
export async function printed(
  command: (args: string[]) => Promise<number>,
  args: string[],
): Promise<{ code: number; text: string }> {
  let text = ''
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation(chunk => {
    text += String(chunk)
    return true
  })
  try {
    return { code: await command(args), text }
  } finally {
    spy.mockRestore()
  }
}
