import { delimiter } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packagePath } from '../../emulator/ground.ts'
import type { Hosts } from './hosts.ts'
import type { TrustFiles } from './trust.ts'

/** The settings that a runtime of the program reads: the port of the proxy, the hosts, and the files. */
export interface RuntimeSettings {
  port: number
  /** Names of the hosts that the emulator stands for. */
  emulated: string[]
  allowed: string[]
  bundle: string
  refused: string
}

/** This machine: the emulator's own address too, for the clock and for programs that are given its address. */
export const noProxy = '127.0.0.1,localhost,::1'

/** Variables by which the runtimes of a program use the proxy and trust its authority, beside those that it has. */
export function asEnvironment(
  inherited: NodeJS.ProcessEnv,
  { port, hosts, trust }: { port: number; hosts: Hosts; trust: TrustFiles },
): NodeJS.ProcessEnv {
  const proxy = `http://127.0.0.1:${port}`
  const settings: RuntimeSettings = {
    port,
    emulated: hosts.emulated.map(({ host }) => host),
    allowed: [...hosts.allowed],
    bundle: trust.bundle,
    refused: trust.refused,
  }
  const { NODE_OPTIONS = '', PYTHONPATH = '', JAVA_TOOL_OPTIONS = '' } = inherited
  return {
    ...both({ http_proxy: proxy, https_proxy: proxy, all_proxy: proxy, no_proxy: noProxy }),
    SSL_CERT_FILE: trust.bundle,
    REQUESTS_CA_BUNDLE: trust.bundle,
    CURL_CA_BUNDLE: trust.bundle,
    NODE_EXTRA_CA_CERTS: trust.extra,
    DENO_CERT: trust.extra,
    NODE_OPTIONS: `${NODE_OPTIONS} --import ${pathToFileURL(packagePath('dist/as-host.js')).href}`.trim(),
    PYTHONPATH: [packagePath('python/tie'), PYTHONPATH].filter(Boolean).join(delimiter),
    JAVA_TOOL_OPTIONS: [JAVA_TOOL_OPTIONS, ...javaOptions(port, trust)].filter(Boolean).join(' '),
    GATEWAY_EMULATOR_AS: JSON.stringify(settings),
  }
}

/** Programs differ in the case of these names. */
function both(variables: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => [
      [name, value],
      [name.toUpperCase(), value],
    ]),
  )
}

function javaOptions(port: number, { keyStore, keyStorePassword }: TrustFiles): string[] {
  return [
    '-Dhttp.proxyHost=127.0.0.1',
    `-Dhttp.proxyPort=${port}`,
    '-Dhttps.proxyHost=127.0.0.1',
    `-Dhttps.proxyPort=${port}`,
    '-Dhttp.nonProxyHosts=localhost|127.*|[::1]',
    `-Djavax.net.ssl.trustStore=${keyStore}`,
    '-Djavax.net.ssl.trustStoreType=JKS',
    `-Djavax.net.ssl.trustStorePassword=${keyStorePassword}`,
  ]
}
