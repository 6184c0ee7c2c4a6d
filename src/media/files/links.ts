import { createHmac, timingSafeEqual } from 'node:crypto'
import type { World } from '../../emulator/ground.ts'

/** The path below which result files are served: world, task, file name. */
export const linkPrefix = '/files/'

/** One file of one task, as a link addresses it. */
interface LinkTarget {
  world: string
  task: string
  output: string
  ending: string
}

/**
 * The path and query of a temporary link. The same file and moment of expiry always give the same link, so each poll repeats it.
 * `expiresAt` is virtual ms; upstream signs its object-store links in the same way, with other query keys.
 */
export function linkTo(world: World, target: Omit<LinkTarget, 'world'>, expiresAt: number): string {
  const path = `${linkPrefix}${world.id}/${encodeURIComponent(target.task)}/${target.output}.${target.ending}`
  const expires = Math.floor(expiresAt / 1000)
  return `${path}?Expires=${expires}&Signature=${signature(world, path, expires)}`
}

/** Reads a link's path and query; undefined when they do not have the form of a link. The world may be unknown. */
export function parseLink(
  path: string,
  query: URLSearchParams,
): (LinkTarget & { expires: number; signature: string }) | undefined {
  const parts = /^\/files\/([A-Za-z0-9_-]{1,64})\/([^/]{1,200})\/([a-z0-9_]{1,40})\.([a-z0-9]{2,5})$/.exec(
    path,
  )
  if (!parts) return undefined
  const [, world = '', task = '', output = '', ending = ''] = parts
  // A number can be written in several ways, but a link in only one.
  const moment = query.get('Expires') ?? ''
  const expires = /^\d{1,12}$/.test(moment) ? Number(moment) : Number.NaN
  return { world, task: safeDecode(task), output, ending, expires, signature: query.get('Signature') ?? '' }
}

/** Whether a link's signature was made by this world for exactly this path and expiry. */
export function isGenuine(world: World, path: string, expires: number, given: string): boolean {
  const right = Buffer.from(signature(world, path, expires))
  const offered = Buffer.from(given)
  return right.length === offered.length && timingSafeEqual(right, offered)
}

/** The signing key follows from the seed alone: worlds with one seed and one history give the same links. */
function signature(world: World, path: string, expires: number): string {
  const { seed } = world.state.head.opening
  return createHmac('sha256', `generation-gateway-emulator/${seed}`)
    .update(`${path}\n${expires}`)
    .digest('hex')
    .slice(0, 32)
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
