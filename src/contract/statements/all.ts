import { statementsOf } from '../statement.ts'

/** Statements for every family. */
export const allFamilies = statementsOf('all', {
  'What the service does': {
    'service.async-video':
      'A video create answers with only a task identifier; the client polls for the result.',
    'service.sync-image': 'One call of the image operation answers with the images.',
    'service.upstream-clients': 'Clients of the upstream work with another base address and key.',
    'service.face-refused':
      'A real face sent directly in a generation request is a 403 of content moderation.',
    'service.face-certified': 'A face that passed certification is sent as an asset:// reference.',
    'service.no-charge': 'Rejected requests are not charged.',
    'service.charges': 'A charge is reserved first and then settled, for each request, visible in a log.',
  },
  Authentication: {
    'auth.bearer': 'Every endpoint requires Authorization: Bearer with a key that begins with sk-.',
    'auth.one-key': 'One key serves all operations and the asset library.',
    'auth.many-places': 'A key may be used from many places at once.',
    'auth.owner': 'Tasks and assets belong to the account.',
    'auth.missing': 'A missing key is a 401.',
    'auth.no-prefix': 'A key without the Bearer prefix is a 401.',
    'auth.disabled': 'A disabled or deleted key is a 401.',
    'auth.whitespace': 'A key with extra blanks is a 401.',
    'auth.model-right': 'A model that the token may not use is a 403.',
    'auth.moderated': 'A request that content moderation refuses is a 403.',
    'auth.two-403': 'The two causes of 403 differ by the text of the message.',
    'auth.asset-secret': 'Asset identifiers are treated like keys: masked wherever keys are.',
    'auth.download': 'Result links are fetched without the Authorization header.',
  },
  Events: {
    'events.none': 'The service sends no events and no callbacks.',
    'events.polling': 'Clients learn of the end of a task only by polling.',
  },
  Errors: {
    'errors.resolution-group':
      'A resolution that the model or the group does not allow is a 400 without a charge.',
    'errors.callback': 'A request with callback_url is a 400.',
  },
  Limits: {
    'limits.rate-account': 'Rate limits hold for each account.',
    'limits.rate-queue': 'Beyond the requests per minute the gateway queues requests and retries.',
  },
  Endpoints: {
    'endpoints.json': 'JSON requests send Content-Type: application/json.',
  },
})
