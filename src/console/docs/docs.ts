import 'openapi-explorer/dist/browser/openapi-explorer.min.js'
import '../styles/tokens.css'
import '../styles/base.css'
import './docs.css'
import '../store/theme.ts'

/** The API reference: one of the two documents, in the colours of the console. */
function show(document_: string): void {
  const place = document.getElementById('reference')
  if (!place) return
  const explorer = document.createElement('openapi-explorer')
  const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()
  const attributes = {
    'spec-url': document_,
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
  place.replaceChildren(explorer)
}

const links = [...document.querySelectorAll<HTMLAnchorElement>('[data-document]')]

function choose(link: HTMLAnchorElement): void {
  for (const other of links) other.removeAttribute('aria-current')
  link.setAttribute('aria-current', 'page')
  show(link.dataset.document ?? 'openapi.json')
}

for (const link of links) {
  link.addEventListener('click', event => {
    event.preventDefault()
    choose(link)
  })
}
const [first] = links
if (first) choose(location.hash === '#control' ? (links[1] ?? first) : first)
