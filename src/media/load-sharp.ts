import { ToolMissingError } from './tools.ts'

/**
 * The library that reads and draws pictures. Its programs are packages of their own for each system, which npm leaves out with
 * `--omit=optional`. @throws ToolMissingError with what to install
 */
export async function loadSharp(): Promise<typeof import('sharp')['default']> {
  try {
    return (await import('sharp')).default
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n')
    throw new ToolMissingError(
      `sharp, which reads and draws pictures, does not run here: ${reason?.replace(/:$/, '')}. ` +
        'Install it for this system with `npm install --include=optional sharp`.',
    )
  }
}
