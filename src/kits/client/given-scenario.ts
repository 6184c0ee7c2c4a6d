import { formOf, type ScenarioDocument } from '../../emulator/words.ts'
import { type ControlCaller, EmulatorError } from './call.ts'
import type { Setting } from './types.ts'

/** A scenario that is not known by a name: a document, its YAML or JSON text, or its file. */
type Given = string | URL | ScenarioDocument

/** Whether a scenario is given by its name. */
export function isScenarioName(given: Given): given is string {
  return typeof given === 'string' && formOf(given) === 'name'
}

/** A scenario as the control API takes it: a file as its text. Rejects with EmulatorError when the file cannot be read. */
export async function sendable(given: Given): Promise<string | ScenarioDocument> {
  const file = fileIn(given)
  if (file === undefined) return given as string | ScenarioDocument
  try {
    return await (await import('node:fs/promises')).readFile(file, 'utf8')
  } catch (cause) {
    throw new EmulatorError(
      0,
      {
        code: 'bad_scenario',
        message: `The scenario file cannot be read: ${cause instanceof Error ? cause.message : cause}`,
        hint: 'a scenario is a name such as flaky-upstream, a file of this machine, a YAML text or a document',
      },
      cause,
    )
  }
}

/** Stores a scenario in a world and activates it. A refusal names the file. */
export async function posted(
  send: ControlCaller['send'],
  given: Given,
): Promise<Setting<{ name: string; active: string[] }>> {
  const body = await sendable(given)
  try {
    return await send('POST', '/scenarios', body)
  } catch (error) {
    const file = fileIn(given)
    if (!(error instanceof EmulatorError) || file === undefined) throw error
    const { status, reason, ...detail } = error
    throw new EmulatorError(status, { ...detail, message: `${file}: ${reason}` })
  }
}

function fileIn(given: Given): string | URL | undefined {
  if (given instanceof URL) return given
  return typeof given === 'string' && formOf(given) === 'file' ? given : undefined
}
