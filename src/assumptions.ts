/** A thing that the specification leaves open, and the answer this emulator gives. Code and tests cite the id. */
export interface Assumption {
  id: string
  scope: 'all' | 'a' | 'b' | 'c' | 'special' | 'k' | 'image'
  question: string
  answer: string
  reason: string
}

/** Every "not shown" of the specification, served at `/__emulator/assumptions`. */
export const assumptions: readonly Assumption[] = [
  {
    id: 'A-null',
    scope: 'all',
    question: 'What does an explicit null mean?',
    answer: 'The same as leaving the key out, everywhere, also for fields that must not be sent.',
    reason: 'Official clients send every unset option as null; refusing it would refuse all their requests.',
  },
  {
    id: 'A-unknown-keys',
    scope: 'all',
    question: 'What becomes of keys that the specification does not name?',
    answer:
      'They are accepted, ignored, and listed as unread on the task and in the journal. Only fields that the specification forbids are refused.',
    reason: 'The real service accepts them silently, and clients send more than is specified.',
  },
  {
    id: 'A-paths',
    scope: 'all',
    question: 'What do odd paths and methods answer?',
    answer:
      'A trailing slash is the same path. A wrong path, or one without its prefix, is a plain JSON 404. A known path with a wrong method is 405 with Allow, in the family’s shape.',
    reason: 'Common behaviour of HTTP gateways.',
  },
  {
    id: 'A-body',
    scope: 'all',
    question: 'What about bodies that are not JSON, and the size limit?',
    answer:
      'Bad JSON and a wrong Content-Type are 400, a body past the limit (64 MB, a setting) is 413, each in the family’s shape. A missing Content-Type is taken for JSON.',
    reason: 'The upstream limit for video requests is 64 MB; 413 is declared for images without a figure.',
  },
  {
    id: 'A-403',
    scope: 'all',
    question: 'How are the two causes of 403 told apart, and for which families do they hold?',
    answer:
      'By message, and by code where the body has one. They hold for all families, although some tables do not list 403. A balance that does not suffice is a 403 of its own.',
    reason: 'Specification, "Authentication" 4.',
  },
  {
    id: 'A-unknown-model',
    scope: 'all',
    question: 'What does a model that nobody knows give?',
    answer:
      '400. Known are the neutral ids (model_a_20, …), for A and images also with a snapshot suffix, and the published upstream names.',
    reason: 'A value that is not allowed is a parameter error.',
  },
  {
    id: 'A-order',
    scope: 'all',
    question: 'In which order are faults found?',
    answer:
      'Path, key, scenario refusals, body size, JSON, shape, model known, model allowed, forbidden fields, rules, media, moderation, balance, rate limit, scenario outcome. Only the first is told.',
    reason: 'Cheap and certain checks come first; upstream’s order varies from request to request.',
  },
  {
    id: 'A-rate',
    scope: 'all',
    question: 'What are the rate limits, and what happens beyond them?',
    answer:
      'None by default; requests per minute are a setting of the account. Over the limit a task waits for its slot and stays queued; past 60 s of waiting the create is 429 with Retry-After.',
    reason:
      'The specification says that the gateway queues requests by requests per minute; figures are not shown.',
  },
  {
    id: 'A-headers',
    scope: 'all',
    question: 'Which headers do replies carry?',
    answer: 'X-Request-Id always; a client’s X-Client-Request-Id is echoed; Date is virtual time.',
    reason: 'One official client reads its request id from the echoed header.',
  },
  {
    id: 'A-downloads',
    scope: 'all',
    question: 'How do result links behave at their edges?',
    answer:
      'GET and HEAD with Range and ETag. With an Authorization header 400, expired 403, past the download limit 403, as XML. A download counts when its first byte is asked for; HEAD and ranges that start later do not count.',
    reason: 'Object stores answer so; players read a file in ranges.',
  },
  {
    id: 'A-run-times',
    scope: 'all',
    question: 'How long do tasks take?',
    answer:
      'Queued 1 to 3 s; then A 8 to 20 s, B 10 to 25 s, C 8 to 20 s, K 8 to 20 s for five seconds at 720p, growing with seconds and pixels, drawn from the seed.',
    reason: 'Short enough to work with, long enough to be seen; scenarios say otherwise where needed.',
  },
  {
    id: 'A-prices',
    scope: 'all',
    question: 'What do requests cost?',
    answer: 'The prices in fixtures/prices.json, in credits; a config file may override them.',
    reason: 'Prices are not shown; only reserving, settling and refunding matter to a client.',
  },
  {
    id: 'A-content',
    scope: 'a',
    question: 'What are the fields of content items, and which combinations are legal?',
    answer:
      'text; image_url, video_url, audio_url with {url} and a role beside. Text; one first frame; first and last frame; or any mix of references (2.0: 9 images, 3 videos, 3 audios, audio not alone; 2.5: 30, 10, 10). One image without a role is a first frame.',
    reason: 'The upstream contract.',
  },
  {
    id: 'A-flags',
    scope: 'a',
    question: 'How are the last-frame flag and the expiry field named?',
    answer: 'return_last_frame, and execution_expires_after with 172800 as default.',
    reason: 'The upstream contract.',
  },
  {
    id: 'A-forbidden',
    scope: 'a',
    question: 'Which other upstream fields are refused?',
    answer:
      'frames, camera_fixed: true, draft: true, draft_task items, and any service_tier but default are 400. priority 0..9, safety_identifier and tools are accepted.',
    reason: 'They belong to other models; the rest is sent by official samples.',
  },
  {
    id: 'A-defaults',
    scope: 'a',
    question: 'What are the defaults of resolution and, on 2.0, of duration?',
    answer: '720p, and 5 seconds. -1 picks a length from the seed.',
    reason: 'The upstream contract.',
  },
  {
    id: 'A-task-type',
    scope: 'a',
    question: 'How is the task type of 2.5 told with auto, and when are its rules checked?',
    answer:
      'From the words of the prompt when there is a reference video; at create: 400 InvalidParameter.TaskTypeConstraint.',
    reason: 'The specification says the caller must send conforming values; both moments were seen upstream.',
  },
  {
    id: 'A-times',
    scope: 'a',
    question: 'What unit do timestamps have, and which form the id?',
    answer: 'Unix seconds; cgt-YYYYMMDDHHMMSS-xxxxx with the time in UTC+8.',
    reason: 'The upstream contract.',
  },
  {
    id: 'A-list',
    scope: 'a',
    question: 'What are the list’s parameters and shape?',
    answer:
      'page_num and page_size from 1 to 500 (default 1 and 20; outside is 400), filter.status, repeated filter.task_ids, filter.model; {items, total}, newest first. List and query reach 7 days back.',
    reason: 'The upstream contract.',
  },
  {
    id: 'A-delete',
    scope: 'a',
    question: 'What does DELETE answer in each state?',
    answer:
      'Queued: cancelled. Running and cancelled: 409. Succeeded, failed, expired: the record is removed, later 404. Success is 200 {}.',
    reason: 'The upstream contract; {} is the only reply that all official clients can read.',
  },
  {
    id: 'A-usage',
    scope: 'a',
    question: 'How are tokens counted?',
    answer:
      'floor(width × height × frames / 1024), frames = 24 × (input video seconds + output seconds) + 1, without the extra frame for extensions.',
    reason: 'Measured upstream.',
  },
  {
    id: 'A-real-face',
    scope: 'all',
    question: 'What counts as a real face?',
    answer:
      'A picture registered as one (by content), a URL or file name with real-face in it, or a scenario. An asset:// reference of a certified person passes.',
    reason: 'An emulator cannot see; it must be told.',
  },
  {
    id: 'A-codec',
    scope: 'a',
    question: 'Which codecs do files have?',
    answer:
      'H.264 8-bit and mono AAC, which play in every browser; codecs: upstream in the config gives HEVC where upstream does.',
    reason: 'Usefulness for people building a page.',
  },
  {
    id: 'B-header',
    scope: 'b',
    question: 'Which values of the asynchronous header pass?',
    answer: 'X-Vendor-Async and X-DashScope-Async: enabled, enable, or left out. Anything else is 400.',
    reason: 'The specification says enabled; the official clients of the upstream send enable.',
  },
  {
    id: 'B-media',
    scope: 'b',
    question: 'What do media items look like, and which combinations, counts and files are allowed?',
    answer:
      '{type, url} with first_frame, last_frame (1 each), reference_image (10), reference_video (5), reference_audio (5), file or link (1). A last frame needs a first one; frames never come with anything else; references, with or without one file or link, combine freely, and a file or link may stand alone. Limits of files as upstream publishes them; pictures may be data URIs.',
    reason: 'The upstream contract.',
  },
  {
    id: 'B-prompt',
    scope: 'b',
    question: 'When is the prompt required, and how long may it be?',
    answer:
      'Prompt or media must be there. What lies past 20,000 characters is cut off without a word, also in orig_prompt; the story tells.',
    reason: 'The upstream contract.',
  },
  {
    id: 'B-parameters',
    scope: 'b',
    question: 'What values and defaults do the parameters have?',
    answer:
      'resolution 480P, 720P, 1080P (default 1080P, upper case only); ratio adaptive (default) or one of six; duration 2 to 30 together with input videos, -1, or 5 by default; audio (default true), seed (-1 or 0 to 2147483647) and watermark are taken too; prompt_extend must be true with a file or link.',
    reason: 'The upstream contract.',
  },
  {
    id: 'B-late',
    scope: 'b',
    question: 'When are bad parameters told?',
    answer:
      'At create: 400 InvalidParameter, no charge. The scenario late-validation gives the upstream way, 200 and then FAILED.',
    reason: 'The specification declares 400 at create.',
  },
  {
    id: 'B-errors',
    scope: 'b',
    question: 'Which codes and messages do refusals have?',
    answer:
      'Upstream’s, followed by parameter and reason; 400 InvalidParameter for values. A real face is 403 DataInspectionFailed, a model without right 403 Model.AccessDenied. Where a 404 is scripted, its code is TaskNotFound.',
    reason: 'The upstream contract; status 403 for moderation is the specification’s.',
  },
  {
    id: 'B-validity',
    scope: 'b',
    question: 'How long can a task be queried?',
    answer:
      '24 hours from its creation, then it is UNKNOWN with 200; the same for a missing one and for another account’s.',
    reason: 'The upstream contract.',
  },
  {
    id: 'B-states',
    scope: 'b',
    question: 'Which fields does the output have in each state?',
    answer:
      'submit_time always, scheduled_time once running, end_time once over; orig_prompt and video_url on success; code and message on failure; usage on success only.',
    reason: 'The upstream contract where it is published, the simplest reading elsewhere.',
  },
  {
    id: 'B-times',
    scope: 'b',
    question: 'What time zone do times have?',
    answer: 'UTC+8, written without a zone.',
    reason: 'Seen upstream.',
  },
  {
    id: 'B-usage',
    scope: 'b',
    question: 'What does usage.duration count?',
    answer:
      'Input and output video seconds together: what is billed, times the price per second. fps is 30, SR the number of the resolution.',
    reason: 'Sibling pages of the upstream say so.',
  },
  {
    id: 'B-ratio',
    scope: 'b',
    question: 'What does adaptive come to?',
    answer:
      'A first frame’s ratio exactly; else the listed ratio nearest to the first reference video or picture; else one drawn from the seed.',
    reason: 'The upstream says it follows input media and intent.',
  },
  {
    id: 'B-pixels',
    scope: 'b',
    question: 'How many pixels has a video?',
    answer:
      '720P and 1080P as upstream published for its earlier models (1280x720, 1920x1080, 1104x832, …); 480P and 21:9 of about the same areas.',
    reason: 'No table is published for this model.',
  },
  {
    id: 'B-cancel',
    scope: 'b',
    question: 'How does a task get cancelled?',
    answer:
      'POST /api/v1/tasks/{id}/cancel while it is PENDING, answered with the request_id alone; otherwise, also for a missing task, 400 UnsupportedOperation.',
    reason: 'The upstream contract; beyond the specification.',
  },
  {
    id: 'B-list',
    scope: 'b',
    question: 'What does the list of tasks take and give?',
    answer:
      'GET /api/v1/tasks: start_time and end_time (YYYYMMDDhhmmss, UTC+8, at most 24 hours apart), task_id, model_name, status, page_no from 1, page_size 1 to 100 (default 10); epoch milliseconds in the reply, newest first.',
    reason: 'The upstream contract; beyond the specification. Its largest page is not published.',
  },
  {
    id: 'B-sound',
    scope: 'b',
    question: 'Is the sound mono or stereo?',
    answer: 'Stereo AAC, and no sound track with audio: false.',
    reason: 'The specification says mono of family A alone.',
  },
]
