import { answersOf, client, documented, guess, measured, specification } from './assumption.ts'

/** All families: how requests are read and refused. */
export const requests = answersOf('all', {
  'A-null': [
    'What does an explicit null mean?',
    'The same as leaving the key out. This holds everywhere, also for fields that must not be sent.',
    'Official clients send null for every option that is not set. Refusing null would refuse all their requests.',
    client('high', 'The official Python client sends every option that is not set as null.'),
  ],
  'A-unknown-keys': [
    'What happens to keys that the specification does not name?',
    'They are accepted and ignored. The task and the journal list them as unread, also keys in the query string of a list. Only fields that the specification forbids are refused.',
    'The real service accepts them silently, and clients send more than the specification names.',
    measured('high', 'Unknown keys created real tasks; official clients send keys that are not documented.'),
  ],
  'A-limited-queries': [
    'Can a query be answered with 429?',
    'The limits of an account are applied to creates only. Explore and scenarios may refuse any query with 429, in the shape of its family.',
    'Most tables list 429 for creates only, but a limit per account also counts the polls of its tasks.',
    specification('medium', 'Authentication', 'Rate limits apply per account.'),
  ],
  'A-paths': [
    'What do wrong paths, wrong methods and trailing slashes answer?',
    'A path with a trailing slash is the same path. A wrong path, or one without its prefix, is a plain JSON 404 with any key; with a valid key, the journal of its world lists it as operation unknown. `/` is not an emulated path: it shows where to find the emulator’s pages. A known path with a wrong method is a 405 with Allow, in the family’s shape.',
    'Common behaviour of HTTP gateways.',
    specification(
      'medium',
      'Endpoints',
      'The /api prefix is mandatory; without it the answer is 404. Methods and slashes are not mentioned.',
    ),
    { claims: [[/./, /^header\.allow$/]], statuses: [[/./, /405/]] },
  ],
  'A-body': [
    'What does a body that is not JSON, is nested too deeply or is too large give?',
    'Bad JSON, more than 64 levels of nesting and a wrong Content-Type are 400. A body above the limit (64 MB, a setting) is 413. Both are in the family’s shape. A body without a Content-Type is read as JSON.',
    'The upstream limit for video requests is 64 MB; 413 is declared for images without a figure.',
    documented('medium', 'Video requests may have at most 64 MB.'),
  ],
  'A-long-texts': [
    'How much of a very long text is kept, where no limit is stated?',
    'The whole text is accepted and checked. The task keeps the first 20,000 characters of each text of its request, and its length. Renderings depend on these characters only.',
    'Upstream refuses no length in family A and images. A body may have 64 MB, and tasks stay in memory.',
    documented('medium', 'The length of a prompt is only recommended; no refusal is documented.'),
  ],
  'A-403': [
    'How can a client distinguish the two causes of 403, and which families have them?',
    'By the message, and by the code where the body has one. All families have both, although some tables do not list 403. A balance that is too low is a third kind of 403.',
    'Specification, "Authentication" 4.',
    specification('high', 'Authentication', 'The two causes of 403 differ by the text of the message.'),
    {
      claims: [
        [
          /^a\.error$/,
          /^error\.(?:code|type)$/,
          'value',
          /^(?:AccessDenied|AccountOverdue\w+|Forbidden|.*Sensitive.*)$/,
        ],
      ],
    },
  ],
  'A-unknown-model': [
    'What does an unknown model give?',
    '400; the code of family A, InvalidParameter.UnknownModel, is invented. The option --unknown-model makes it 404 InvalidEndpointOrModel.NotFound, as its upstream, or 503 model_not_found, as relays; the scenarios model-not-found and model-unavailable do so for every create. In family K the model is part of the path, and the answer is 404 with code 1203. In the special variant it is 404 not_found_error. Known models are the neutral ids (model_a_20, …), for A and images also with a snapshot suffix, and the published upstream names.',
    'A value that is not allowed is a parameter error. The upstream of K answers 404 for an unknown model in the path. The special create declares a 404, and an unknown model is one cause.',
    specification(
      'low',
      'Errors',
      'A value that is not allowed is a 400; no status is given for a model that does not exist.',
    ),
    {
      claims: [[/^a\.error$/, /^error\.code$/, 'value', /UnknownModel/]],
      statuses: [[/./, /400/, /^model$/]],
    },
  ],
  'A-order': [
    'In which order are requests checked?',
    'Path, key, body size, scenario refusals, JSON, shape, model known, model allowed, forbidden fields, rules, media, moderation, balance, rate limit, scenario outcome. The reply reports only the first fault.',
    'Cheap and certain checks come first. Upstream’s order varies between identical requests.',
    measured(
      'medium',
      'A request with two wrong values gets a message about one of them; which one varies between identical requests.',
    ),
  ],
  'A-headers': [
    'Which headers do replies carry?',
    'Always X-Request-Id. A client’s X-Client-Request-Id is echoed. Date is virtual time.',
    'One official client reads its request id from the echoed header.',
    client('high', 'The official Go client reads its request id from the echoed X-Client-Request-Id.'),
    { claims: [[/./, /^header\.(?:x-request-id|x-client-request-id)$/]] },
  ],
  'A-steady': [
    'How does a realtime clock move when the clock of the machine is changed, or the machine sleeps?',
    'It counts the steady time of the process: a time server or a user who sets the machine’s clock does not move it, and on Linux the time that a suspended machine sleeps does not count. Over a restart the pause counts by the machine’s clock; when that shows an earlier time than before, virtual time goes on from the latest moment that a reply has shown, or up to a second (times the rate) after it.',
    'Virtual time goes forward only: a task that was shown as succeeded must not be queued again. Tests on a laptop should not find all links expired after a night.',
    guess('medium', 'The real gateway’s clock is not the developer’s.'),
  ],
  'A-moments': [
    'Which moment is an ISO 8601 text without a time zone, on the command line and in the control API?',
    'UTC, for a date alone and for a date with a time. Forms other than ISO 8601 are refused, and also moments before 1970 and after 9999.',
    'A run with `--now 2026-01-01T00:00:00` must not depend on the time zone of the machine.',
    guess(
      'high',
      'No real service takes these values; a run must not depend on the time zone of the machine.',
    ),
  ],
  'A-callback': [
    'What does an empty callback_url give?',
    'In every family, null and an empty string count as not sent. Every other value is 400.',
    'Vendors’ own examples send it empty, and an empty value asks for no callback.',
    documented('high', 'Vendor examples carry "callback_url": "".'),
  ],
  'A-groups': [
    'To which resolutions of which families does the account’s group apply?',
    'To 480p, 720p, 1080p and 4k in families A, B and K, also to the resolution that the mode of an avatar has; upper and lower case are the same. To others, such as 768P and 2K of family C, only when the group names one of them. An empty group allows no resolution of any family.',
    'The families write the same resolution in two ways, and a group is one setting for all of them. The specification’s example of a group that may use everything names four values and not those of family C.',
    specification('medium', 'Errors', 'A resolution outside the group is a 400.'),
  ],
  'A-lists-null': [
    'What does a null inside a list mean?',
    'It is a value of the wrong type: a 400 that names its place. Only the value of a key may be null for “not set”.',
    'An item of a list is not an option, and dropping it would renumber the items after it.',
    guess('medium', 'No client is known to send such a list.'),
  ],
  'A-head': [
    'What does HEAD on a query path answer?',
    '405 with Allow, because query paths take GET only. Result links answer HEAD.',
    'The specification lists GET only, and one answer serves all families.',
    specification('medium', 'Endpoints', 'Query paths are listed with GET.'),
  ],
})
