import { answersOf, client, documented, guess, measured, specification } from './assumption.ts'

/** All families: how requests are read and refused. */
export const requests = answersOf('all', {
  'A-null': {
    question: 'What does an explicit null mean?',
    answer: 'The same as leaving the key out. This holds everywhere, also for fields that must not be sent.',
    reason:
      'Official clients send null for every option that is not set. Refusing null would refuse all their requests.',
    source: client('The official Python client sends every option that is not set as null.'),
    certainty: 'high',
  },
  'A-unknown-keys': {
    question: 'What happens to keys that the specification does not name?',
    answer:
      'They are accepted and ignored. The task and the journal list them as unread, also keys in the query string of a list. Only fields that the specification forbids are refused.',
    reason: 'The real service accepts them silently, and clients send more than the specification names.',
    source: measured('Unknown keys created real tasks; official clients send keys that are not documented.'),
    certainty: 'high',
  },
  'A-limited-queries': {
    question: 'Can a query be answered with 429?',
    answer:
      'The limits of an account are applied to creates only. Explore and scenarios may refuse any query with 429, in the shape of its family.',
    reason:
      'Most tables list 429 for creates only, but a limit per account also counts the polls of its tasks.',
    source: specification('Authentication', 'Rate limits apply per account.'),
    certainty: 'medium',
  },
  'A-paths': {
    question: 'What do wrong paths, wrong methods and trailing slashes answer?',
    answer:
      'A path with a trailing slash is the same path. A wrong path, or one without its prefix, is a plain JSON 404 with any key; with a valid key, the journal of its world lists it as operation unknown. `/` is not an emulated path: it shows where to find the emulator’s pages. A known path with a wrong method is a 405 with Allow, in the family’s shape.',
    reason: 'Common behaviour of HTTP gateways.',
    source: specification(
      'Endpoints',
      'The /api prefix is mandatory; without it the answer is 404. Methods and slashes are not mentioned.',
    ),
    certainty: 'medium',
    claims: [[/./, /^header\.allow$/]],
    statuses: [[/./, /405/]],
  },
  'A-body': {
    question: 'What does a body that is not JSON, is nested too deeply or is too large give?',
    answer:
      'Bad JSON, more than 64 levels of nesting and a wrong Content-Type are 400. A body above the limit (64 MB, a setting) is 413. Both are in the family’s shape. A body without a Content-Type is read as JSON.',
    reason: 'The upstream limit for video requests is 64 MB; 413 is declared for images without a figure.',
    source: documented('Video requests may have at most 64 MB.'),
    certainty: 'medium',
  },
  'A-long-texts': {
    question: 'How much of a very long text is kept, where no limit is stated?',
    answer:
      'The whole text is accepted and checked. The task keeps the first 20,000 characters of each text of its request, and its length. Renderings depend on these characters only.',
    reason:
      'Upstream refuses no length in family A and images. A body may have 64 MB, and tasks stay in memory.',
    source: documented('The length of a prompt is only recommended; no refusal is documented.'),
    certainty: 'medium',
  },
  'A-403': {
    question: 'How can a client distinguish the two causes of 403, and which families have them?',
    answer:
      'By the message, and by the code where the body has one. All families have both, although some tables do not list 403. A balance that is too low is a third kind of 403.',
    reason: 'Specification, "Authentication" 4.',
    source: specification('Authentication', 'The two causes of 403 differ by the text of the message.'),
    certainty: 'high',
    claims: [
      [
        /^a\.error$/,
        /^error\.(?:code|type)$/,
        'value',
        /^(?:AccessDenied|AccountOverdue\w+|Forbidden|.*Sensitive.*)$/,
      ],
    ],
  },
  'A-unknown-model': {
    question: 'What does an unknown model give?',
    answer:
      '400; the code of family A, InvalidParameter.UnknownModel, is invented. The option --unknown-model makes it 404 InvalidEndpointOrModel.NotFound, as its upstream, or 503 model_not_found, as relays; the scenarios model-not-found and model-unavailable do so for every create. In family K the model is part of the path, and the answer is 404 with code 1203. In the special variant it is 404 not_found_error. Known models are the neutral ids (model_a_20, …), for A and images also with a snapshot suffix, and the published upstream names.',
    reason:
      'A value that is not allowed is a parameter error. The upstream of K answers 404 for an unknown model in the path. The special create declares a 404, and an unknown model is one cause.',
    source: specification(
      'Errors',
      'A value that is not allowed is a 400; no status is given for a model that does not exist.',
    ),
    certainty: 'low',
    claims: [[/^a\.error$/, /^error\.code$/, 'value', /UnknownModel/]],
    statuses: [[/./, /400/, /^model$/]],
  },
  'A-order': {
    question: 'In which order are requests checked?',
    answer:
      'Path, key, body size, scenario refusals, JSON, shape, model known, model allowed, forbidden fields, rules, media, moderation, balance, rate limit, scenario outcome. The reply reports only the first fault.',
    reason: 'Cheap and certain checks come first. Upstream’s order varies between identical requests.',
    source: measured(
      'A request with two wrong values gets a message about one of them; which one varies between identical requests.',
    ),
    certainty: 'medium',
  },
  'A-headers': {
    question: 'Which headers do replies carry?',
    answer: 'Always X-Request-Id. A client’s X-Client-Request-Id is echoed. Date is virtual time.',
    reason: 'One official client reads its request id from the echoed header.',
    source: client('The official Go client reads its request id from the echoed X-Client-Request-Id.'),
    certainty: 'high',
    claims: [[/./, /^header\.(?:x-request-id|x-client-request-id)$/]],
  },
  'A-steady': {
    question:
      'How does a realtime clock move when the clock of the machine is changed, or the machine sleeps?',
    answer:
      'It counts the steady time of the process: a time server or a user who sets the machine’s clock does not move it, and on Linux the time that a suspended machine sleeps does not count. Over a restart the pause counts by the machine’s clock; when that shows an earlier time than before, virtual time goes on from the latest moment that a reply has shown, or up to a second (times the rate) after it.',
    reason:
      'Virtual time goes forward only: a task that was shown as succeeded must not be queued again. Tests on a laptop should not find all links expired after a night.',
    source: guess('The real gateway’s clock is not the developer’s.'),
    certainty: 'medium',
  },
  'A-moments': {
    question:
      'Which moment is an ISO 8601 text without a time zone, on the command line and in the control API?',
    answer:
      'UTC, for a date alone and for a date with a time. Forms other than ISO 8601 are refused, and also moments before 1970 and after 9999.',
    reason: 'A run with `--now 2026-01-01T00:00:00` must not depend on the time zone of the machine.',
    source: guess(
      'No real service takes these values; a run must not depend on the time zone of the machine.',
    ),
    certainty: 'high',
  },
  'A-callback': {
    question: 'What does an empty callback_url give?',
    answer: 'In every family, null and an empty string count as not sent. Every other value is 400.',
    reason: 'Vendors’ own examples send it empty, and an empty value asks for no callback.',
    source: documented('Vendor examples carry "callback_url": "".'),
    certainty: 'high',
  },
  'A-groups': {
    question: 'To which resolutions of which families does the account’s group apply?',
    answer:
      'To 480p, 720p, 1080p and 4k in families A, B and K, also to the resolution that the mode of an avatar has; upper and lower case are the same. To others, such as 768P and 2K of family C, only when the group names one of them. An empty group allows no resolution of any family.',
    reason:
      'The families write the same resolution in two ways, and a group is one setting for all of them. The specification’s example of a group that may use everything names four values and not those of family C.',
    source: specification('Errors', 'A resolution outside the group is a 400.'),
    certainty: 'medium',
  },
  'A-lists-null': {
    question: 'What does a null inside a list mean?',
    answer:
      'It is a value of the wrong type: a 400 that names its place. Only the value of a key may be null for “not set”.',
    reason: 'An item of a list is not an option, and dropping it would renumber the items after it.',
    source: guess('No client is known to send such a list.'),
    certainty: 'medium',
  },
  'A-head': {
    question: 'What does HEAD on a query path answer?',
    answer: '405 with Allow, because query paths take GET only. Result links answer HEAD.',
    reason: 'The specification lists GET only, and one answer serves all families.',
    source: specification('Endpoints', 'Query paths are listed with GET.'),
    certainty: 'medium',
  },
})
