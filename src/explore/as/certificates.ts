import { webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'

/** A certificate and its private key, PEM. */
export interface Certificate {
  cert: string
  key: string
}

/** A certificate authority whose private key is only in memory. */
export interface Authority {
  /** Its certificate, PEM. */
  cert: string
  /** A certificate for one host name or IP address. */
  issue(host: string): Promise<Certificate>
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

/** Programs may live in any year, with a clock of their own. */
const wholeLife = { notBefore: new Date('2000-01-01T00:00:00Z'), notAfter: new Date('2049-12-31T00:00:00Z') }

/** Makes an authority. Nobody trusts it who is not given its certificate. */
export async function createAuthority(): Promise<Authority> {
  const keys = await newKeys()
  const own = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=generation-gateway-emulator: authority of one run',
    ...wholeLife,
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return {
    cert: pemText(own),
    async issue(host) {
      const leafKeys = await newKeys()
      const leaf = await x509.X509CertificateGenerator.create({
        subject: [{ CN: [host.slice(0, 64)] }],
        issuer: own.subjectName,
        ...wholeLife,
        signingAlgorithm: algorithm,
        publicKey: leafKeys.publicKey,
        signingKey: keys.privateKey,
        extensions: [
          ...(await leafExtensions(leafKeys.publicKey, [host])),
          // Python 3.13 and newer refuse a certificate that does not name the key of its issuer.
          await x509.AuthorityKeyIdentifierExtension.create(keys.publicKey),
        ],
      })
      return { cert: pemText(leaf), key: await privateKeyText(leafKeys) }
    },
  }
}

/** A certificate that signs itself, valid for a year from now, for these names and IP addresses. */
export async function selfSigned(names: readonly string[]): Promise<Certificate> {
  const keys = await newKeys()
  const cert = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [names[0] ?? 'localhost'] }],
    signingAlgorithm: algorithm,
    keys,
    extensions: await leafExtensions(keys.publicKey, names),
  })
  return { cert: pemText(cert), key: await privateKeyText(keys) }
}

async function leafExtensions(publicKey: webcrypto.CryptoKey, names: readonly string[]) {
  return [
    new x509.BasicConstraintsExtension(false, undefined, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
    new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
    new x509.SubjectAlternativeNameExtension(
      names.map(name => ({
        type: /^[\d.]+$|:/.test(name) ? ('ip' as const) : ('dns' as const),
        value: name,
      })),
    ),
    await x509.SubjectKeyIdentifierExtension.create(publicKey),
  ]
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
}

function pemText(cert: { toString(format: 'pem'): string }): string {
  return `${cert.toString('pem').trim()}\n`
}

async function privateKeyText({ privateKey }: webcrypto.CryptoKeyPair): Promise<string> {
  const bytes = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', privateKey)).toString('base64')
  return `-----BEGIN PRIVATE KEY-----\n${bytes.match(/.{1,64}/g)?.join('\n')}\n-----END PRIVATE KEY-----\n`
}
