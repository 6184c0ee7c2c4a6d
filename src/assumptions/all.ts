import type { Answer } from './assumption.ts'

/** All families. */
export const allFamilies: readonly Answer[] = [
  {
    id: 'A-null',
    scope: 'all',
    question: 'What does an explicit null mean?',
    answer: 'The same as leaving the key out, everywhere, also for fields that must not be sent.',
    reason: 'Official clients send every unset option as null; refusing it would refuse all their requests.',
    source: {
      kind: 'upstream',
      evidence: 'client',
      fact: 'The official Python client sends every option that is not set as null.',
    },
    certainty: 'high',
  },
  {
    id: 'A-unknown-keys',
    scope: 'all',
    question: 'What becomes of keys that the specification does not name?',
    answer:
      'They are accepted, ignored, and listed as unread on the task and in the journal, names in the query of a list too. Only fields that the specification forbids are refused.',
    reason: 'The real service accepts them silently, and clients send more than is specified.',
    source: {
      kind: 'upstream',
      evidence: 'measured',
      fact: 'Unknown keys created real tasks; official clients send keys that are not documented.',
    },
    certainty: 'high',
  },
  {
    id: 'A-paths',
    scope: 'all',
    question: 'What do odd paths and methods answer?',
    answer:
      'A trailing slash is the same path. A wrong path, or one without its prefix, is a plain JSON 404, whatever the key (`/` is not an emulated path: the emulator says there where things are); with a good key it is in the journal of its world as operation unknown. A known path with a wrong method is 405 with Allow, in the family’s shape.',
    reason: 'Common behaviour of HTTP gateways.',
    source: {
      kind: 'specification',
      section: 'Endpoints',
      says: 'The /api prefix is mandatory; without it the answer is 404. Methods and slashes are not mentioned.',
    },
    certainty: 'medium',
  },
  {
    id: 'A-body',
    scope: 'all',
    question: 'What about bodies that are not JSON, and the size limit?',
    answer:
      'Bad JSON and a wrong Content-Type are 400, a body past the limit (64 MB, a setting) is 413, each in the family’s shape. A missing Content-Type is taken for JSON.',
    reason: 'The upstream limit for video requests is 64 MB; 413 is declared for images without a figure.',
    source: { kind: 'upstream', evidence: 'documented', fact: 'Video requests may have at most 64 MB.' },
    certainty: 'medium',
  },
  {
    id: 'A-long-texts',
    scope: 'all',
    question: 'How much of a very long text is kept, where no limit is stated?',
    answer:
      'It is taken whole and checked whole; the task keeps 20,000 characters of each text of its request and tells its length, and what it renders follows from these.',
    reason: 'Upstream refuses no length in family A and images; a body may have 64 MB, and tasks are kept.',
    source: {
      kind: 'upstream',
      evidence: 'documented',
      fact: 'The length of a prompt is only recommended; no refusal is documented.',
    },
    certainty: 'medium',
  },
  {
    id: 'A-403',
    scope: 'all',
    question: 'How are the two causes of 403 told apart, and for which families do they hold?',
    answer:
      'By message, and by code where the body has one. They hold for all families, although some tables do not list 403. A balance that does not suffice is a 403 of its own.',
    reason: 'Specification, "Authentication" 4.',
    source: {
      kind: 'specification',
      section: 'Authentication',
      says: 'The two causes of 403 differ by the text of the message.',
    },
    certainty: 'high',
  },
  {
    id: 'A-unknown-model',
    scope: 'all',
    question: 'What does a model that nobody knows give?',
    answer:
      '400. Known are the neutral ids (model_a_20, …), for A and images also with a snapshot suffix, and the published upstream names.',
    reason: 'A value that is not allowed is a parameter error.',
    source: {
      kind: 'specification',
      section: 'Errors',
      says: 'A value that is not allowed is a 400; no status is given for a model that does not exist.',
    },
    certainty: 'medium',
  },
  {
    id: 'A-order',
    scope: 'all',
    question: 'In which order are faults found?',
    answer:
      'Path, key, body size, scenario refusals, JSON, shape, model known, model allowed, forbidden fields, rules, media, moderation, balance, rate limit, scenario outcome. Only the first is told.',
    reason: 'Cheap and certain checks come first; upstream’s order varies from request to request.',
    source: {
      kind: 'upstream',
      evidence: 'measured',
      fact: 'With two wrong values the one that is named varies between identical requests.',
    },
    certainty: 'medium',
  },
  {
    id: 'A-rate',
    scope: 'all',
    question: 'What are the rate limits, and what happens beyond them?',
    answer:
      'None by default; requests per minute are a setting of the account. Over the limit a task waits for its slot and stays queued; past 60 s of waiting the create is 429 with Retry-After.',
    reason:
      'The specification says that the gateway queues requests by requests per minute; figures are not shown.',
    source: {
      kind: 'specification',
      section: 'Limits',
      says: 'Rate limits hold per account; the gateway queues requests and retries; numbers are not shown.',
    },
    certainty: 'medium',
  },
  {
    id: 'A-headers',
    scope: 'all',
    question: 'Which headers do replies carry?',
    answer: 'X-Request-Id always; a client’s X-Client-Request-Id is echoed; Date is virtual time.',
    reason: 'One official client reads its request id from the echoed header.',
    source: {
      kind: 'upstream',
      evidence: 'client',
      fact: 'The official Go client reads its request id from the echoed X-Client-Request-Id.',
    },
    certainty: 'high',
  },
  {
    id: 'A-moments',
    scope: 'all',
    question:
      'Which moment is meant by an ISO 8601 text without a zone, on the command line and in the control API?',
    answer:
      'UTC, for a day alone and for a day with a time; other spellings than ISO 8601 are refused, and so are moments before 1970 and after 9999.',
    reason: 'A run told `--now 2026-01-01T00:00:00` must not depend on where the machine stands.',
    source: {
      kind: 'guess',
      because: 'No real service takes these values; a run must not depend on the time zone of the machine.',
    },
    certainty: 'high',
  },
  {
    id: 'A-downloads',
    scope: 'all',
    question: 'How do result links behave at their edges?',
    answer:
      'GET and HEAD with Range, and conditions on ETag and date (304, 412). With an Authorization header 400, expired 403, past the download limit 403, as XML. A download counts when its first byte is asked for; HEAD and ranges that start later do not count. Past the limit a range that starts later is still answered: it goes on with a download that was counted.',
    reason: 'Object stores answer so; players read a file in ranges.',
    source: {
      kind: 'upstream',
      evidence: 'client',
      fact: 'Links are signed object-store links; a HEAD on one was refused, since it is signed for GET.',
    },
    certainty: 'medium',
  },
  {
    id: 'A-run-times',
    scope: 'all',
    question: 'How long do tasks take?',
    answer:
      'Queued 1 to 3 s; then A 8 to 20 s, B 10 to 25 s, C 8 to 20 s, K 8 to 20 s for five seconds at 720p, growing with seconds and pixels, drawn from the seed.',
    reason: 'Short enough to work with, long enough to be seen; scenarios say otherwise where needed.',
    source: { kind: 'guess', because: 'Real times vary from half a minute to a quarter of an hour.' },
    certainty: 'low',
  },
  {
    id: 'A-prices',
    scope: 'all',
    question: 'What do requests cost?',
    answer: 'The prices in fixtures/prices.json, in credits; a config file may override them.',
    reason: 'Prices are not shown; only reserving, settling and refunding matter to a client.',
    source: {
      kind: 'specification',
      section: 'What the service does',
      says: 'Charges are reserved and then settled for each request; no price is shown.',
    },
    certainty: 'low',
  },
  {
    id: 'A-real-face',
    scope: 'all',
    question: 'What counts as a real face?',
    answer:
      'A picture registered as one (by content), a URL or file name with real-face in it, or a scenario. An asset:// reference of a certified person passes.',
    reason: 'An emulator cannot see; it must be told.',
    source: {
      kind: 'specification',
      section: 'What the service does',
      says: 'A real face in a request is a 403; what counts as one is not shown.',
    },
    certainty: 'high',
  },
  {
    id: 'A-gone',
    scope: 'all',
    question: 'What does a task cost whose record a scenario loses (task: {gone})?',
    answer:
      'The same as without it: only the record is lost. The work goes on as planned, so a success is settled when it is reached, and a failure is refunded. Links that were shown keep working.',
    reason: 'As with records that a client deletes: charges and files are untouched.',
    source: {
      kind: 'guess',
      because: 'A charge belongs to the work, and the work does not depend on the record that clients see.',
    },
    certainty: 'low',
  },
  {
    id: 'A-expire',
    scope: 'all',
    question:
      'What becomes of a task that a scenario lets expire, where the states know no expiry (B, C, K)?',
    answer:
      'It fails three hours after its creation, or when its running time ends if the scenario names one, and is refunded: in B with InternalError.Timeout, in C and K with the usual code and a message that says so. In A it becomes expired at its expiry.',
    reason:
      'A task that ends in no way cannot be tested; a failure is the only unwanted end that these families have.',
    source: {
      kind: 'upstream',
      evidence: 'documented',
      fact: 'The provider behind B ends a task that gave nothing for three hours with InternalError.Timeout.',
    },
    certainty: 'low',
  },
]
