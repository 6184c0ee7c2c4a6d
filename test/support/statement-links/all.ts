/** By the end of each id: the tests that show it, as `file > part of the name`. Files are those below `test/api` unless a folder is named. */
export const allFamilies = {
  'service.async-video': 'a-create > answers 200 with only the id',
  'service.sync-image': 'images-result > has model, created, data and usage',
  'service.upstream-clients': [
    'clients/ai-sdk-bytedance > from text, and gets a playable file',
    'clients/openai-images > with links that need no key',
  ],
  'service.face-refused': 'a-content > a real face sent directly is refused with 403',
  'service.face-certified':
    'a-content > the person’s certified asset is accepted, an uncertified one is refused',
  'service.no-charge': [
    'a-create > 4k on 2.5 gives 400 and no charge',
    'images-request > refuses %s and charges nothing',
  ],
  'service.charges': [
    'a-charges > are reserved at create and settled on success',
    'a-charges > list moment, account, task, operation and model',
  ],
  'auth.bearer': 'contract > answers 401 to %s',
  'auth.one-key': 'line-by-line > one key serves every family and the asset library',
  'auth.many-places': 'a-auth > a key may be used from many places at once',
  'auth.owner': [
    'a-auth > a key may be used from many places at once; tasks belong to the account',
    'a-content > an asset of another account is refused like an unknown one',
  ],
  'auth.missing': 'contract > answers 401 to %s',
  'auth.no-prefix': 'contract > answers 401 to %s',
  'auth.disabled': 'a-auth > is the answer for a key that was disabled, until it is enabled again',
  'auth.whitespace': 'contract > answers 401 to %s',
  'auth.model-right': 'a-auth > names the model, stores nothing and charges nothing',
  'auth.moderated': 'a-content > a real face sent directly is refused with 403',
  'auth.two-403': 'a-content > its message differs from the refusal of a model that the key may not use',
  'auth.asset-secret': 'slots-and-secrets > masks asset identifiers',
  'auth.download': 'a-media > an Authorization header, %s, gives 400',
  'events.none': 'same-everywhere > accepts an empty callback_url as absent and refuses any other',
  'events.polling': 'a-query > a polling loop sees every state in order',
  'errors.resolution-group': 'a-create > %s outside the group of the account',
  'errors.callback': 'same-everywhere > accepts an empty callback_url as absent and refuses any other',
  'limits.rate-account': 'a-charges > of one account do not limit other accounts',
  'limits.rate-queue':
    'a-charges > a task waits in the queue for its slot; a wait of more than 60 s is 429 with Retry-After',
  'endpoints.json': [
    'a-create > reads a body without Content-Type, and one with a charset, as JSON',
    'contract > may not come as %s',
  ],
}
