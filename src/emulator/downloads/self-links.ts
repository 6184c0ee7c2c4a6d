import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { InputError, isGenuine, parseLink, type SelfLinkFile } from '../../media/index.ts'
import { familyOf, outputOf } from '../families/index.ts'
import { linkExpiry } from '../families/result-link.ts'
import { isOwnUrl } from '../http/origin.ts'
import { fixturePath } from '../package/files.ts'
import type { LinkContext } from '../pipeline/endpoint.ts'
import { viewAt } from '../tasks/lifecycle.ts'
import { nowIn } from '../worlds/world.ts'

const samplesPath = '/__emulator/samples/'

/**
 * The file behind a link of this emulator (a sample, or the result of a task of any of its worlds), read without HTTP, so that
 * one task's result can be another task's input, however long it takes to render. Undefined for any other address.
 */
export function selfLinkIn(call: LinkContext, url: URL): SelfLinkFile | undefined {
  if (!isOwnUrl(url, call.baseUrl, call.services.options)) return undefined
  if (url.pathname.startsWith(samplesPath)) return sample(url.pathname.slice(samplesPath.length))
  const link = parseLink(url.pathname, url.searchParams)
  return link && { name: `${link.task}.${link.ending}`, read: () => readResult(call, url) }
}

function sample(name: string): SelfLinkFile {
  return {
    name,
    async read() {
      try {
        return await readFile(fixturePath(`media/samples/${basename(name)}`))
      } catch {
        throw new InputError('unreachable', `there is no sample named ${name}`)
      }
    },
  }
}

/** A result is read by the rules of its link, but it does not count as a download, since no bytes are sent to a client. */
async function readResult({ services }: LinkContext, url: URL): Promise<Buffer> {
  const link = parseLink(url.pathname, url.searchParams)
  const world = link && services.worlds.find(link.world)
  if (!link || !world) throw noResult()
  const task = world.state.tasks.get(link.task)
  const view = task && viewAt(task, nowIn(world))
  const family = task && familyOf(task.family)
  const recipe = task && outputOf(task, link.output)
  const isOurs = isGenuine(world, url.pathname, link.expires, link.signature)
  if (!isOurs || !family || !recipe || view?.status !== 'succeeded') throw noResult()
  if (nowIn(world) >= linkExpiry(family, { task, view }, services.options))
    throw new InputError('unreachable', 'the link has expired')
  return services.library.read(recipe)
}

function noResult(): InputError {
  return new InputError('unreachable', 'the link does not lead to a result of this gateway')
}
