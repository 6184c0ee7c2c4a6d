import 'openapi-explorer/dist/browser/openapi-explorer.min.js'
import '../styles/tokens.css'
import '../styles/base.css'
import './docs.css'
import '../store/theme.ts'

interface Explorer extends HTMLElement {
  loadSpec(document: object): Promise<void>
}

interface Tagged {
  tags?: { name: string; description: string }[]
  paths: Record<string, Record<string, { tags?: string[] }>>
}

/** The API reference: one of the two documents, in the colours of the console. */
async function show(address: string): Promise<void> {
  const reply = await fetch(address)
  const explorer = document.createElement('openapi-explorer') as Explorer
  const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()
  const attributes = {
    'server-url': location.origin,
    'hide-server-selection': 'true',
    'bg-color': colour('--surface'),
    'header-bg-color': colour('--surface'),
    'nav-bg-color': colour('--surface-2'),
    'nav-text-color': colour('--text-2'),
    'nav-hover-bg-color': colour('--accent-soft'),
    'nav-hover-text-color': colour('--accent-strong'),
    'text-color': colour('--text'),
    'header-color': colour('--text'),
    'primary-color': colour('--accent'),
    'secondary-color': colour('--accent-strong'),
  }
  for (const [name, value] of Object.entries(attributes)) explorer.setAttribute(name, value)
  document.getElementById('reference')?.replaceChildren(explorer)
  await explorer.loadSpec(withTitles(await reply.json()))
}

/** Groups under their titles: the ids that stand for them in the document say little to a reader. */
function withTitles(given: Tagged): Tagged {
  const titles = new Map(given.tags?.map(({ name, description }) => [name, description]))
  const title = (name: string) => titles.get(name) ?? name
  for (const methods of Object.values(given.paths))
    for (const operation of Object.values(methods))
      if (operation.tags) operation.tags = operation.tags.map(title)
  return {
    ...given,
    ...(given.tags && { tags: given.tags.map(({ name }) => ({ name: title(name), description: '' })) }),
  }
}

const links = [...document.querySelectorAll<HTMLAnchorElement>('[data-document]')]

function choose(link: HTMLAnchorElement): void {
  for (const other of links) other.removeAttribute('aria-current')
  link.setAttribute('aria-current', 'page')
  void show(link.dataset.document ?? 'openapi.json')
}

for (const link of links) {
  link.addEventListener('click', event => {
    event.preventDefault()
    choose(link)
  })
}
const [first] = links
if (first) choose(location.hash === '#control' ? (links[1] ?? first) : first)
