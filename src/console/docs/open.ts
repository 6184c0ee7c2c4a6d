/** `/__emulator/docs` opens a page of the console; the world and the rest of the address are kept. */
const place = location.hash.replace(/^#\/?/, '')
if (!place.startsWith('docs'))
  history.replaceState(null, '', `./${location.search}#/docs${place === '' ? '' : `/${place}`}`)
else history.replaceState(null, '', `./${location.search}${location.hash}`)
void import('../main.tsx')
