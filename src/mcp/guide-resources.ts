import { guidePages, textOf } from '../guide/contents.ts'

const prefix = 'gateway-emulator://guide/'

/** A page of the guide as a resource of the protocol. */
export interface GuideResource {
  uri: string
  name: string
  title: string
  mimeType: 'text/markdown'
}

/** Every page of the guide. */
export function guideResources(): GuideResource[] {
  return guidePages().map(({ name, title }) => ({
    uri: prefix + name,
    name,
    title,
    mimeType: 'text/markdown',
  }))
}

/** The Markdown of a page by its address; undefined for an address of no page. */
export function guideResource(uri: string): { uri: string; mimeType: string; text: string } | undefined {
  const page = guidePages().find(({ name }) => prefix + name === uri)
  return page && { uri, mimeType: 'text/markdown', text: textOf(page.path) }
}
