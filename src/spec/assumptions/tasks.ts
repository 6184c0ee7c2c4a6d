import { answersOf, client, documented, guess, specification } from './assumption.ts'

/** All families: run times, prices, rate limits and links of tasks. */
export const tasks = answersOf('all', {
  'A-rate': [
    'What are the rate limits, and what happens beyond them?',
    'None by default; requests per minute are a setting of the account. Above the limit, a task stays queued until its slot. When it would have to wait longer than 60 s, the create is a 429 with Retry-After. A task that is cancelled while it waits gives its slot to the next request.',
    'The specification says that the gateway queues requests by requests per minute; figures are not shown.',
    specification(
      'medium',
      'Limits',
      'Rate limits hold per account; the gateway queues requests and retries; numbers are not shown.',
    ),
    {
      claims: [
        [/./, /^header\.retry-after$/],
        [/^a\.error$/, /^error\.(?:code|type)$/, 'value', /RateLimit|TooMany/],
      ],
      statuses: [[/./, /429/]],
    },
  ],
  'A-downloads': [
    'How do result links answer ranges, conditions, HEAD, and requests after their end?',
    'They take GET and HEAD, with Range and with conditions on ETag and date (304, 412). A request with an Authorization header is 400; an expired link and one past its download limit are 403; the bodies are XML. A request for the first byte counts as a download; HEAD and ranges that start later do not. After the limit, a range that starts later is still answered, because it continues a download that was counted. Content-Disposition is `attachment` with a file name, and `inline` when a browser opens the link in its address bar (Sec-Fetch-Dest: document).',
    'Object stores do the same, and players read a file in ranges. The upstream link is signed for GET only, but the gateway relays the file through its own store, so HEAD works. The specification limits downloads, not requests, so a later range of a file is not another download. A developer who opens a link wants to see the video.',
    client(
      'medium',
      'Links are signed object-store links; a HEAD on one was refused, since it is signed for GET.',
    ),
    {
      claims: [[/^media\.download$/, /^header\.(?!content-type)/]],
      completes: { 'media.reply': /./ },
      statuses: [[/^media\.download$/, /./]],
    },
  ],
  'A-run-times': [
    'How long do tasks take?',
    'They are queued for 1 to 3 s. Five seconds of 720p then run 8 to 20 s in A, C and K, and 10 to 25 s in B; the time grows with seconds and pixels. All times are drawn from the seed.',
    'Short enough to work with, long enough to see each state. Scenarios can set other times.',
    guess('low', 'Real times vary from half a minute to a quarter of an hour.'),
  ],
  'A-prices': [
    'What do requests cost?',
    'The prices in fixtures/prices.json, in credits; a config file may override them.',
    'Prices are not shown; only reserving, settling and refunding matter to a client.',
    specification(
      'low',
      'What the service does',
      'Charges are reserved and then settled for each request; no price is shown.',
    ),
  ],
  'A-gone': [
    'What does a task cost when a scenario loses its record (task: {gone})?',
    'The same as without the scenario: only the record is lost. The work goes on as planned, so a success is charged when it is reached, and a failure is refunded. Links that a client has seen keep working.',
    'The same holds for records that a client deletes: charges and files do not change.',
    guess(
      'low',
      'A charge belongs to the work, and the work does not depend on the record that clients see.',
    ),
  ],
  'A-expire': [
    'What does a scenario do that lets a task expire in a family without expired tasks (B, C, K)?',
    'The task fails and is refunded, three hours after its creation or when the running time that the scenario names is over: in B with InternalError.Timeout, in C and K with the usual code and a message that says so. In A the task becomes expired at its expiry.',
    'A task that never ends cannot be tested. Failure is the only unwanted end in these families.',
    documented(
      'low',
      'The provider behind B ends a task that gave nothing for three hours with InternalError.Timeout.',
    ),
  ],
  'A-links': [
    'How long do result links live?',
    'Family A: about 2 hours for relayed links, 24 hours with --links upstream. B 24 hours, C 24 hours, K 30 days, images 24 hours, with any value of --links.',
    'The specification states the two hours for family A only; the links of the others live as long as their upstream says.',
    specification('medium', 'Limits', 'The relayed link of family A lives about 2 h; image links live 24 h.'),
    { claims: [[/^[ab]\./, /^link\.life$/]] },
  ],
})
