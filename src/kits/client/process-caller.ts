import { askEmulator, proxyHint } from '../../emulator/gateway.ts'
import { type ControlCaller, controlCaller, stoppedByFakes } from './call.ts'

/** Calls of the control API at `base` from a process: an emulator of this machine is asked without the proxy of the environment. */
export function processCaller(base: string, headers: Readonly<Record<string, string>> = {}): ControlCaller {
  return controlCaller(base, { by: askEmulator, headers, hint, stopped: stoppedByFakes })
}

function hint(url: string, thrown?: unknown): string | undefined {
  const { code } = ((thrown as { cause?: unknown } | undefined)?.cause ?? {}) as { code?: unknown }
  if (typeof code === 'string' && /CERT|UNABLE_TO_VERIFY/.test(code))
    return `its certificate is not trusted, ${code}: NODE_EXTRA_CA_CERTS names the file of one that is`
  return proxyHint(url)
}
