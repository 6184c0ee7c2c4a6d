import { createHash, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { pathToFileURL } from 'node:url'
import { packagePath } from '../../emulator/ground.ts'
import type { Hosts } from './hosts.ts'

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

/** The files by which the runtimes of a run trust its authority. They hold no private key. */
interface TrustFiles {
  /** Authorities beside those that Node knows, PEM. */
  extra: string
  /** All authorities: those of Node, those that the user's own files name, and that of the run, PEM. */
  bundle: string
  /** The same for Java. */
  keyStore: string
  /** The password of that file, which holds nothing secret. */
  keyStorePassword: string
  /** To this file a runtime adds the name of each host that it refuses by itself, one a line. */
  refused: string
  remove(): void
}

const keyStorePassword = 'changeit'

/** Writes the files into a private temporary folder. `inherited` may name further bundles, which stay trusted. */
export function writeTrustFiles(
  authority: { cert: string },
  inherited: Readonly<Record<string, string | undefined>>,
): TrustFiles {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-emulator-as-'))
  const given = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE']
  const theirs = [...new Set(given.flatMap(name => inherited[name] || []))].map(textOf)
  const all = [...rootCertificates, ...theirs, authority.cert]
  const file = (name: string, content: string | Buffer) => {
    const path = join(folder, name)
    writeFileSync(path, content, { mode: 0o600 })
    return path
  }
  return {
    extra: file('extra.pem', [...theirs, authority.cert].join('\n')),
    bundle: file('all.pem', `${all.join('\n')}\n`),
    keyStore: file('all.jks', keyStoreOf(all.flatMap(certificatesIn))),
    keyStorePassword,
    refused: file('refused.txt', ''),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** A file that cannot be read is the user's own affair: the program would not read it either. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function certificatesIn(text: string): Buffer[] {
  const found = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  return found.map(pem => new X509Certificate(pem).raw)
}

/** Trusted certificates as a key store of Java (JKS, version 2), whose end is a digest with the password. */
function keyStoreOf(certificates: readonly Buffer[]): Buffer {
  const entries = certificates.flatMap((bytes, i) => [
    number(2),
    javaText(`root-${i}`),
    Buffer.alloc(8),
    javaText('X.509'),
    number(bytes.length),
    bytes,
  ])
  const content = Buffer.concat([number(0xfeedfeed), number(2), number(certificates.length), ...entries])
  const password = Buffer.from(keyStorePassword, 'utf16le').swap16()
  const digest = createHash('sha1').update(password).update('Mighty Aphrodite').update(content).digest()
  return Buffer.concat([content, digest])
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function javaText(text: string): Buffer {
  const bytes = Buffer.from(text)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(bytes.length)
  return Buffer.concat([length, bytes])
}
