import { readFileSync } from 'node:fs'
import {
  createServer as createPlain,
  type IncomingMessage,
  request as plainRequest,
  type ServerResponse,
} from 'node:http'
import { createServer as createSecure, request as secureRequest } from 'node:https'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { createSecureContext, type SecureContext } from 'node:tls'
import {
  directAgent,
  keyHeader,
  keyIn,
  keysInHeader,
  secretHeader,
  secretsIn,
  withoutKeys,
} from '../../emulator/gateway.ts'
import { connectionHeaders } from '../../emulator/words.ts'
import { linkPrefix } from '../../media/index.ts'
import { type Authority, createAuthority } from './certificates.ts'
import { asEnvironment, writeTrustFiles } from './environment.ts'
import { gatewayPath, type Hosts, linkHostOf, placeOfHost, unknownPrefix } from './hosts.ts'
import { count, note, nothingObserved, type ProxyObservation } from './proxy-observation.ts'
import { createSecrets, maskBody, type Secrets } from './secrets.ts'

/** What a proxy needs: the hosts, the emulator that stands for them, and the key of its world. */
interface ProxyParts {
  hosts: Hosts
  authority: Authority
  /** Answers a request as the emulator does. */
  dispatch(request: IncomingMessage, response: ServerResponse): void
  key: string
  secrets: Secrets
  heard: ProxyObservation
}

interface Proxy {
  port: number
  close(): Promise<void>
}

const handshake = 0x16

/**
 * Starts a proxy on a free port of the loopback address. It speaks HTTP proxy (CONNECT, and whole URLs), and it also takes connections
 * as the host itself would, plain or with TLS: programs that know no proxy are led here by their own runtime.
 */
async function startProxy(parts: ProxyParts): Promise<Proxy> {
  const { hosts, heard } = parts
  const sockets = new Set<Socket>()
  const handle = (request: IncomingMessage, response: ServerResponse) => answer(request, response, parts)
  const plain = createPlain(handle)
  const secure = createSecure(
    {
      ALPNProtocols: ['http/1.1'],
      SNICallback: (name, done) => {
        if (placeOfHost(name, hosts) === 'emulated')
          contextOf(name, parts.authority).then(made => done(null, made), done)
        else {
          count(heard.refused, name)
          done(new Error(`${name} is refused`))
        }
      },
    },
    handle,
  )
  const serve = (socket: Socket) => {
    socket.once('readable', () => {
      const first: Buffer | null = socket.read()
      if (first === null) return
      socket.unshift(first)
      ;(first[0] === handshake ? secure : plain).emit('connection', socket)
    })
  }
  for (const server of [plain, secure]) {
    server.requestTimeout = 0
    server.keepAliveTimeout = 65_000
    server.on('connect', (request, socket: Socket, head: Buffer) => {
      const { hostname, port } = new URL(`http://${request.url}`)
      const place = placeOfHost(hostname, hosts)
      if (place === 'refused') return refuseTunnel(socket, hostname, heard)
      socket.on('error', () => socket.destroy())
      if (place !== 'emulated') return tunnel(socket, head, { host: hostname, port: Number(port || 80) })
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      if (head.length > 0) socket.unshift(head)
      serve(socket)
    })
  }
  const listener = createServer(socket => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => sockets.delete(socket))
    serve(socket)
  })
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  return {
    port: (listener.address() as AddressInfo).port,
    close: () =>
      new Promise(resolve => {
        listener.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** The certificates of each authority, by host: making one takes some milliseconds, so each host gets one for all runs. */
const contexts = new WeakMap<Authority, Map<string, Promise<SecureContext>>>()

function contextOf(host: string, authority: Authority): Promise<SecureContext> {
  const made = contexts.get(authority) ?? new Map<string, Promise<SecureContext>>()
  contexts.set(authority, made)
  const context = made.get(host) ?? authority.issue(host).then(createSecureContext)
  made.set(host, context)
  return context
}

function answer(request: IncomingMessage, response: ServerResponse, parts: ProxyParts): void {
  const isWhole = /^https?:\/\//i.test(request.url ?? '')
  const base = isWhole ? (request.url ?? '') : `http://${request.headers.host}${request.url}`
  const url = URL.canParse(base) ? new URL(base) : undefined
  const host = url?.hostname.toLowerCase() ?? ''
  const place = placeOfHost(host, parts.hosts)
  if (url && place === 'emulated') {
    emulate(request, response, { ...parts, url, host })
    return
  }
  if (url && isWhole && place !== 'refused') {
    passOn(request, response, url)
    return
  }
  count(parts.heard.refused, host === '' ? 'a request without a host' : host)
  response.writeHead(403, { 'Content-Type': 'text/plain', Connection: 'close' }).end(refusal(host))
}

/** Gives a request to the emulator, with the key of the case, and with the host that links are made for. */
function emulate(
  request: IncomingMessage,
  response: ServerResponse,
  { url, host, hosts, heard, key, secrets, dispatch }: ProxyParts & { url: URL; host: string },
): void {
  const method = request.method ?? 'GET'
  const given = url.pathname + url.search
  const isLink = given.startsWith(linkPrefix)
  const swapped = swapKey({ headers: pairsOf(request.rawHeaders), path: given, isLink }, key)
  for (const secret of swapped.secrets) secrets.add(secret)
  if (swapped.style !== undefined) note(heard.key_styles, swapped.style)
  count(heard.calls, host)
  const path = gatewayPath(method, swapped.path, { host, emulated: hosts.emulated })
  const prefix = unknownPrefix(method, path)
  if (prefix !== undefined) note(heard.unknown_prefixes, `${host}${prefix}`)
  const linkHost = isLink ? host : linkHostOf(host)
  const headers = swapped.headers.flatMap(([name, value]): [string, string][] =>
    /^host$/i.test(name) ? [] : [[name, secrets.masked(value)]],
  )
  rewrite(request, secrets.masked(path), [['Host', linkHost], ...headers])
  maskBody(request, secrets)
  dispatch(request, response)
}

/** Node reads `headers` and `rawHeaders` only from the connection, so both are set. */
function rewrite(request: IncomingMessage, url: string, headers: readonly [string, string][]): void {
  request.url = url
  request.rawHeaders = headers.flat()
  const kept = new Set(headers.map(([name]) => name.toLowerCase()))
  for (const name of Object.keys(request.headers)) if (!kept.has(name)) delete request.headers[name]
  for (const [name, value] of headers)
    if (typeof request.headers[name.toLowerCase()] !== 'object') request.headers[name.toLowerCase()] = value
}

function refusal(host: string): string {
  return `gateway-emulator: ${host} is refused. Name it with --as ${host} or --allow ${host}.\n`
}

function refuseTunnel(socket: Socket, host: string, heard: ProxyObservation): void {
  count(heard.refused, host)
  const text = refusal(host)
  socket.end(
    `HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  )
}

/** Connects a client with a host that is not the emulator's. */
function tunnel(socket: Socket, head: Buffer, target: { host: string; port: number }): void {
  const other = connect(target)
  other.once('connect', () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    other.write(head)
    socket.pipe(other).pipe(socket)
  })
  other.once('error', () => socket.destroy())
  socket.once('close', () => other.destroy())
}

/** Passes a request with a whole URL on to its host. */
function passOn(request: IncomingMessage, response: ServerResponse, url: URL): void {
  const headers = pairsOf(request.rawHeaders).filter(
    ([name]) => !connectionHeaders.some(own => own === name.toLowerCase()),
  )
  const call = (url.protocol === 'https:' ? secureRequest : plainRequest)(url, {
    method: request.method ?? 'GET',
    headers: headers.flat() as unknown as Record<string, string>,
    agent: directAgent(url),
  })
  call.once('response', reply => {
    response.writeHead(reply.statusCode ?? 502, reply.rawHeaders)
    reply.pipe(response)
  })
  call.once('error', error => {
    if (response.headersSent) response.destroy()
    else response.writeHead(502, { 'Content-Type': 'text/plain' }).end(`${error.message}\n`)
  })
  response.once('close', () => call.destroy())
  request.pipe(call)
}

function pairsOf(raw: readonly string[]): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, i) => [raw[2 * i] ?? '', raw[2 * i + 1] ?? ''])
}

/** The parts of a request that may hold a key: rewritten, and what was found in them. */
interface Swapped {
  headers: [name: string, value: string][]
  /** Path and query. */
  path: string
  /** The keys of the client. */
  secrets: string[]
  /** How the client sent its key, in words; undefined when it sent none. */
  style?: string
}

/**
 * A request with the key of the case in the place of the client's, whatever style the client uses: `Authorization: Bearer`, a signed
 * token, another scheme, a header such as `X-Api-Key`, or a parameter of the query. A request without a key gets none. The query of a
 * link to a file is its signature, and stays.
 */
export function swapKey(
  { headers, path, isLink }: { headers: readonly [string, string][]; path: string; isLink: boolean },
  key: string,
): Swapped {
  const secrets = headers.flatMap(([name, value]) => (secretHeader.test(name) ? keysInHeader(value) : []))
  const sent = headers.find(([name, value]) => keyHeader.test(name) && keyIn(value) !== undefined)
  const query = isLink ? { path, values: [] } : withoutKeys(path)
  secrets.push(...query.values)
  const kept = headers.filter(([name]) => !secretHeader.test(name))
  const authorization = headers.find(([name]) => /^authorization$/i.test(name))
  if (sent) kept.push(['Authorization', authorizationWith(sent, key)])
  else if (query.values.some(value => keyIn(value) !== undefined))
    kept.push(['Authorization', `Bearer ${key}`])
  else if (authorization) kept.push(authorization)
  const style = sent ? styleOf(sent) : query.name === undefined ? undefined : `the parameter ${query.name}`
  return { headers: kept, path: query.path, secrets, ...(style !== undefined && { style }) }
}

/** With `Bearer`, all but the key itself stays: the gateway refuses extra spaces. */
function authorizationWith([name, value]: [string, string], key: string): string {
  const [, scheme, rest = ''] = /^(Bearer )(.*)$/s.exec(value) ?? []
  return /^authorization$/i.test(name) && scheme !== undefined
    ? scheme + rest.replace(rest.trim(), key)
    : `Bearer ${key}`
}

function styleOf([name, value]: [string, string]): string {
  if (!/^authorization$/i.test(name)) return `the header ${name.toLowerCase()}`
  const scheme = /^([A-Za-z][\w-]*)\s/.exec(value)?.[1]
  if (scheme === undefined) return 'Authorization without a scheme'
  return scheme === 'Bearer' ? 'Authorization: Bearer' : `Authorization: ${scheme}`
}

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
