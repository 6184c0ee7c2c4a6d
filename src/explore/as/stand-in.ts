import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { secretsIn } from '../../emulator/gateway.ts'
import { createAuthority } from './certificates.ts'
import { asEnvironment, writeTrustFiles } from './environment.ts'
import type { Hosts } from './hosts.ts'
import { startProxy } from './proxy.ts'
import { count, nothingObserved, type ProxyObservation } from './proxy-observation.ts'
import { createSecrets, type Secrets } from './secrets.ts'

/** The emulator in the place of hosts, for the runs of one command. */
export interface StandIn {
  heard: ProxyObservation
  secrets: Secrets
  /** A proxy for one run. `key` is that of the run's world. */
  open(key: string): Promise<OpenStandIn>
  /** Removes the files of the authority, whose private key was only in memory. */
  close(): void
}

export interface OpenStandIn {
  /** Variables of the program, beside those that it inherits. */
  environment(inherited: NodeJS.ProcessEnv): NodeJS.ProcessEnv
  close(): Promise<void>
}

/** Where calls go, and whose keys are in the environment. */
export interface StandInParts {
  hosts: Hosts
  dispatch(request: IncomingMessage, response: ServerResponse): void
  inherited: NodeJS.ProcessEnv
}

/** Keys of the emulator are no secrets. */
const ownKey = /^sk-(emulator|test-)/

/** Makes an authority and its files. Nothing listens before the first run. */
export async function createStandIn({ hosts, dispatch, inherited }: StandInParts): Promise<StandIn> {
  const authority = await createAuthority()
  const secrets = createSecrets(text => ownKey.test(text), secretsIn(inherited))
  const trust = writeTrustFiles(authority, inherited)
  const heard = nothingObserved(hosts.emulated.map(({ host, prefix }) => host + prefix))
  let counted = 0
  const readRefused = () => {
    const lines = readFileSync(trust.refused, 'utf8').split('\n').slice(0, -1)
    for (const line of lines.slice(counted)) count(heard.refused, line.replace(/:(80|443|None)$/, ''))
    counted = lines.length
  }
  return {
    heard,
    secrets,
    async open(key) {
      const proxy = await startProxy({ hosts, authority, dispatch, key, secrets, heard })
      return {
        environment: given => asEnvironment(given, { port: proxy.port, hosts, trust }),
        async close() {
          await proxy.close()
          readRefused()
        },
      }
    },
    close: () => trust.remove(),
  }
}
