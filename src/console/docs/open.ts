/** `/__emulator/docs` is a page of the console under a name of its own: the world and the place in the address stay. */
const place = location.hash.replace(/^#\/?/, '')
if (!place.startsWith('docs'))
  history.replaceState(null, '', `./${location.search}#/docs${place === '' ? '' : `/${place}`}`)
else history.replaceState(null, '', `./${location.search}${location.hash}`)
void import('../main.tsx')
