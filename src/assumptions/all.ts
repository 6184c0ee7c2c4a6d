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
    question: 'What does a model that does not exist give?',
    answer:
      '400; in family K, where the model is part of the path, 404 with code 1203; in the special variant 404 not_found_error. Known are the neutral ids (model_a_20, …), for A and images also with a snapshot suffix, and the published upstream names.',
    reason:
      'A value that is not allowed is a parameter error. Upstream of K answers 404 for a model in the path that it does not know, and the special create declares a 404 that nothing but the model can give.',
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
      'None by default; requests per minute are a setting of the account. Over the limit a task waits for its slot and stays queued; past 60 s of waiting the create is 429 with Retry-After. A task that is cancelled while it waits gives its slot to the next request.',
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
    reason:
      'Object stores answer so, and players read a file in ranges. The upstream link is signed for GET alone, but the gateway relays the file through a store of its own, so HEAD works. The specification limits downloads, not requests, so a later range of a file is no download of its own.',
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
  {
    id: 'A-references',
    scope: 'all',
    question: 'Which references to inputs are understood, and what about blanks around them?',
    answer:
      'http and https URLs, data URIs and asset:// references in every family, oss:// in B and mm_file:// in C besides, plain base64 in K; anything else is 400. Blanks before a reference, and after a URL, are 400.',
    reason: 'A URL has no blanks, and a caller who sends them hears of it before anything is charged.',
    source: {
      kind: 'specification',
      section: 'Image: request and response',
      says: 'An image is a URL or a data URI; stores of a vendor belong to that vendor.',
    },
    certainty: 'medium',
  },
  {
    id: 'A-endings',
    scope: 'all',
    question: 'What is refused of an input that is not fetched?',
    answer:
      'Its kind and format, as far as the ending of its URL names one: .svg, .avif or .exe are 400 where the list has no such format. An ending that names no format passes, and all other properties are assumed.',
    reason: 'The lists of formats hold for every input; the ending is all that is known of such a file.',
    source: {
      kind: 'specification',
      section: 'Image: request and response',
      says: 'The formats of an image are listed.',
    },
    certainty: 'medium',
  },
  {
    id: 'A-invented-lengths',
    scope: 'all',
    question: 'How long is an input that is not fetched?',
    answer:
      'Five seconds, or less where the limits of the request leave less: the inputs together, and in family B the inputs and the output. When even the shortest inputs would not fit, the request is 400.',
    reason: 'No length that the real service would refuse may come out of a request that was accepted.',
    source: { kind: 'guess', because: 'The file is not read, so any length is an invention.' },
    certainty: 'medium',
  },
  {
    id: 'A-callback',
    scope: 'all',
    question: 'What about callback_url with nothing in it?',
    answer: 'null and an empty string count as not sent, in every family; every other value is 400.',
    reason: 'Vendors’ own examples carry it empty; it asks for no callback then.',
    source: { kind: 'upstream', evidence: 'documented', fact: 'Vendor examples carry "callback_url": "".' },
    certainty: 'high',
  },
  {
    id: 'A-groups',
    scope: 'all',
    question: 'How are resolutions compared with the account’s group?',
    answer: 'Without case: a group with 1080p allows 1080P of family B, too.',
    reason: 'Families write one resolution in two ways, and a group is one setting for all.',
    source: { kind: 'specification', section: 'Errors', says: 'A resolution outside the group is a 400.' },
    certainty: 'medium',
  },
  {
    id: 'A-lists-null',
    scope: 'all',
    question: 'What does a null inside a list mean?',
    answer:
      'It is a value of a wrong type: 400 that names its place. Only the value of a key may be null for “not set”.',
    reason:
      'A list has no option that could be left out, and dropping an item would move the places of those after it.',
    source: { kind: 'guess', because: 'No client is known to send such a list.' },
    certainty: 'medium',
  },
  {
    id: 'A-head',
    scope: 'all',
    question: 'What does HEAD on a query path answer?',
    answer: '405 with Allow: the path knows GET. Result links answer HEAD.',
    reason: 'The specification lists GET alone; one answer for all families.',
    source: { kind: 'specification', section: 'Endpoints', says: 'Query paths are listed with GET.' },
    certainty: 'medium',
  },
  {
    id: 'A-links',
    scope: 'all',
    question: 'How long do result links live?',
    answer:
      'Family A: about 2 hours relayed, 24 hours with --links upstream. B 24 hours, C 24 hours, K 30 days, images 24 hours, whatever --links says.',
    reason: 'The two hours are stated for family A alone; the others live as long as their upstream says.',
    source: {
      kind: 'specification',
      section: 'Limits',
      says: 'The relayed link of family A lives about 2 h; image links live 24 h.',
    },
    certainty: 'medium',
  },
]
