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
      'They are accepted, ignored, and listed as unread on the task and in the journal, names in the query of a list too. Only fields that the specification forbids are refused.',
    reason: 'The real service accepts them silently, and clients send more than is specified.',
  },
  {
    id: 'A-paths',
    scope: 'all',
    question: 'What do odd paths and methods answer?',
    answer:
      'A trailing slash is the same path. A wrong path, or one without its prefix, is a plain JSON 404, whatever the key; with a good key it is in the journal of its world as operation unknown. A known path with a wrong method is 405 with Allow, in the family’s shape.',
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
    id: 'A-long-texts',
    scope: 'all',
    question: 'How much of a very long text is kept, where no limit is stated?',
    answer:
      'It is taken whole and checked whole; the task keeps 20,000 characters of each text of its request and tells its length, and what it renders follows from these.',
    reason: 'Upstream refuses no length in family A and images; a body may have 64 MB, and tasks are kept.',
  },
  {
    id: 'A-prompt-flags',
    scope: 'a',
    question: 'What do flags at the end of a prompt do, such as --rt 16:9 --dur 5?',
    answer: 'Nothing: they are words of the prompt, and the story tells so. The fields of the body count.',
    reason:
      'They are a legacy form of upstream, weakly checked there; the specification names the fields alone.',
  },
  {
    id: 'A-cancelled-records',
    scope: 'a',
    question: 'How long can a cancelled task be queried?',
    answer: '7 days, as any other.',
    reason:
      'Upstream takes such records away after 24 hours; the specification gives one window for all tasks of its families.',
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
      'Path, key, body size, scenario refusals, JSON, shape, model known, model allowed, forbidden fields, rules, media, moderation, balance, rate limit, scenario outcome. Only the first is told.',
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
    id: 'A-moments',
    scope: 'all',
    question:
      'Which moment is meant by an ISO 8601 text without a zone, on the command line and in the control API?',
    answer: 'UTC, for a day alone and for a day with a time; other spellings than ISO 8601 are refused.',
    reason: 'A run told `--now 2026-01-01T00:00:00` must not depend on where the machine stands.',
  },
  {
    id: 'A-downloads',
    scope: 'all',
    question: 'How do result links behave at their edges?',
    answer:
      'GET and HEAD with Range, and conditions on ETag and date (304, 412). With an Authorization header 400, expired 403, past the download limit 403, as XML. A download counts when its first byte is asked for; HEAD and ranges that start later do not count.',
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
      'page_num and page_size from 1 to 500 (default 1 and 20; outside is 400), filter.status, repeated filter.task_ids, filter.model, filter.service_tier (all tasks are default); {items, total}, newest first. List and query reach 7 days back.',
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
    id: 'A-cancel',
    scope: 'a',
    question: 'What becomes of a task that a scenario cancels?',
    answer:
      'It is cancelled at the moment when it would have started, and never runs; forcing a running one to cancelled is 409.',
    reason: 'The specification’s table of states knows cancelled from queued alone.',
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
      '{type, url} with first_frame, last_frame (1 each), reference_image (10), reference_video (5), reference_audio (5), file or link (1). A last frame needs a first one; frames never come with anything else; references, with or without one file or link, combine freely, and a file or link may stand alone. Limits of files as upstream publishes them; pictures may be data URIs; an asset:// reference must be of the account.',
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
  {
    id: 'C-content',
    scope: 'c',
    question: 'What are the content items besides text and video, their roles and combinations?',
    answer:
      'image_url (first_frame, last_frame, reference_image), video_url (reference_video; base_video in regenerations), audio_url (reference_audio), each with {url} and the role beside; a lone image without a role is a first frame. Exactly one non-empty text of at most 7000 characters; with it a first frame, a last frame, both, or references: at most 9 images, 3 videos, 3 audios, 12 in all, audio not alone.',
    reason: 'The upstream contract.',
  },
  {
    id: 'C-media',
    scope: 'c',
    question: 'What may input files be?',
    answer:
      'Images JPEG, PNG, WEBP, HEIC, HEIF to 30 MB, sides 256 to 5760, width / height 0.4 to 2.5. Videos MP4, MOV with H.264 or H.265 and AAC or MP3 to 50 MB, 2 to 15 s, in total 15 s, 23.976 to 60 fps. Audios WAV, MP3 to 15 MB, 2 to 15 s, in total 15 s. Lengths have 0.2 s of tolerance.',
    reason: 'The upstream contract.',
  },
  {
    id: 'C-required',
    scope: 'c',
    question: 'Which fields of a create are required, and how long are standard videos?',
    answer:
      'model, content, resolution (768P or 2K, spelled so) and duration, 4 to 15 whole seconds; prompt enhancement the same without resolution.',
    reason: 'The upstream contract; the specification gives a range for the special variant only.',
  },
  {
    id: 'C-ratio',
    scope: 'c',
    question: 'Which ratio does a task get?',
    answer:
      'Standard, and prompt enhancement in both variants: with text alone it must be sent and not be adaptive; with frames any listed value is ignored and the frame decides; with references the default is adaptive, which follows the first picture or video. Adaptive comes to the nearest of 21:9, 16:9, 4:3, 1:1, 3:4, 9:16. Special videos: must be sent in every mode, and is followed.',
    reason:
      'The upstream contract, and the specification for the special variant (its enhancement is “like standard”).',
  },
  {
    id: 'C-callback',
    scope: 'c',
    question: 'What about callback_url with nothing in it?',
    answer: 'null and an empty string pass.',
    reason: 'Some clients spell unset options so; they ask for no callback.',
  },
  {
    id: 'C-group',
    scope: 'c',
    question: 'Does an account’s group of resolutions hold here as well?',
    answer:
      'Yes: a group that does not list 768P or 2K may not use it, regenerations included; prompt enhancement has no resolution.',
    reason: 'Specification, “Errors” rule 1 speaks of all families.',
  },
  {
    id: 'C-ids',
    scope: 'c',
    question: 'What form do ids and times have?',
    answer: 'Ids are 15 digits, request ids 02, the Unix seconds and 20 hex digits, times Unix seconds.',
    reason: 'All published examples look so.',
  },
  {
    id: 'C-unknown-task',
    scope: 'c',
    question:
      'What does the standard variant answer for an id that does not exist, is older than 7 days, or belongs to somebody else or to the special variant?',
    answer:
      '400 bad_request_error “invalid task_id (2013)”; in the special variant 404 not_found_error. The same goes for source_task_id.',
    reason: 'Upstream declares no 404; the specification does for the special variant.',
  },
  {
    id: 'C-list',
    scope: 'c',
    question: 'What are the list’s limits, order and hidden filter?',
    answer:
      'page_size 1 to 100, newest first; filter.task_ids, repeated for several ids. filter.model finds a model under each of its names. total counts all matches.',
    reason: 'The filter’s name is upstream’s; its largest page is not published.',
  },
  {
    id: 'C-delete',
    scope: 'c',
    question: 'What does DELETE answer where the state table is silent?',
    answer:
      'Standard: running and cancelled are 400 and unchanged. Special: queued is 501 like running, cancelled is 400. A deleted task is then unknown, its charge stays.',
    reason:
      'Upstream declares 400; the special table has no row for queued, and 501 is its word for unfinished tasks.',
  },
  {
    id: 'C-usage',
    scope: 'c',
    question: 'What does usage tell, and when?',
    answer:
      'On success: of videos total, input and output seconds (input = reference videos, rounded) and the number of input images; of prompt enhancements tokens, about one for four letters plus 4800 of instructions and 800 a file; in the special variant an empty object. Failed tasks tell the same keys with 0; other states no usage. Videos are charged by total seconds.',
    reason: 'Upstream’s samples; the conversion is not published.',
  },
  {
    id: 'C-task',
    scope: 'c',
    question: 'Which fields does a task have in each state?',
    answer:
      'error when failed, content when succeeded, resolution unless it is a prompt enhancement, duration (of a regeneration: its source’s), ratio (of a regeneration: empty).',
    reason: 'Upstream’s samples.',
  },
  {
    id: 'C-pixels',
    scope: 'c',
    question: 'How many pixels has a video?',
    answer:
      '2K: 2560x1440, 2208x1656, 1920x1920, 2912x1248 and their uprights; 768P: 1344x768, 1152x864, 992x992, 1536x672 and theirs.',
    reason:
      '16:9 was measured upstream. The others have about its area; 768P is within the limits of a base video.',
  },
  {
    id: 'C-frames',
    scope: 'c',
    question: 'How long is a file?',
    answer:
      '24 fps. At 768P the number of frames is the nearest that a base video may have, so that every 768P result can be regenerated: 4 s have 107 frames, 5 s 124, 10 s 243, 15 s 362. At 2K it is exactly seconds times 24. Regenerations keep the frames of their source.',
    reason: 'Upstream makes base videos of 107 + 17 n frames.',
  },
  {
    id: 'C-base-video',
    scope: 'c',
    question: 'What must a base video be like?',
    answer:
      'MP4 or MOV with a sound track, 24 fps, sides divisible by 32, at most 1344 times 768 pixels, 107 to 362 frames in steps of 17, measured from the file. What is not fetched is not held against the caller.',
    reason: 'The upstream contract.',
  },
  {
    id: 'C-regeneration',
    scope: 'c',
    question: 'What else holds for regenerations?',
    answer:
      'source_task_id must be a succeeded generation at 768P of the same variant and account, not older than 7 days. A content has one base_video, a text of at most 40000 characters or none, and references or frames as in a create. duration and ratio are not read. The output has the frames of its source and the 2K size nearest to its aspect, and shows the same pictures.',
    reason: 'The upstream contract; that a text may be missing is leniency.',
  },
  {
    id: 'C-enhanced',
    scope: 'c',
    question: 'What does an enhanced prompt look like?',
    answer:
      'Sections integrated_multimodal_description, overall_soundscape and non_diegetic_music; two to five shots with time codes below the duration, which hold every sentence of the given prompt. Drawn from the seed.',
    reason: 'Upstream’s samples; what its model would write cannot be known.',
  },
  {
    id: 'C-errors',
    scope: 'c',
    question: 'Which error types are there beside bad_request_error?',
    answer:
      '401 authorized_error, 403 permission_error (not allowed, or moderated) and insufficient_balance_error, 404 not_found_error, 429 rate_limit_error, 501 not_implemented_error, 5xx server_error and overloaded_error; http_code is a string, and messages end with upstream’s internal number. error.code of a failed task is such a number as a string.',
    reason: 'Upstream’s names where it has them, names of their kind elsewhere.',
  },
  {
    id: 'C-run-times',
    scope: 'c',
    question: 'How long does a prompt enhancement take?',
    answer: 'Queued 0.5 to 1.5 s, then 3 to 8 s, drawn from the seed.',
    reason: 'Texts come sooner than videos.',
  },
  {
    id: 'K-paths',
    scope: 'k',
    question: 'Where does the optional /v1 stand?',
    answer: 'Before every path of the family, not only where the specification states it.',
    reason: 'Upstream’s older paths need it, its newer ones lack it; clients of both come here.',
  },
  {
    id: 'K-empty',
    scope: 'k',
    question: 'What does an empty string mean?',
    answer:
      'For an optional value, the same as leaving it out; an optional contents item whose url or text is "" is absent, too.',
    reason: 'Vendor examples send "" for what they leave unset, callback_url included.',
  },
  {
    id: 'K-settings',
    scope: 'k',
    question: 'What are the allowed values of settings, and their defaults?',
    answer:
      'resolution 720p (default) or 1080p, on 3.0 also 4k; duration 3 to 15 whole seconds, default 5; on 3.0 audio native or off (default), on turbo sound always and the key says nothing; multi_shot is accepted. The account’s group limits resolution as in family A.',
    reason: 'Upstream’s published values.',
  },
  {
    id: 'K-prompt',
    scope: 'k',
    question: 'Where does the prompt stand, and how long may it be?',
    answer:
      'At top level (the specification) or as a contents item {type: "prompt", text} (upstream); with both, the former counts and the latter is listed as unread. Optional. At most 2500 characters on turbo, 3072 on 3.0.',
    reason: 'Clients written for upstream send the item.',
  },
  {
    id: 'K-contents',
    scope: 'k',
    question: 'Which contents items are there, and what may their files be?',
    answer:
      'first_frame (required) and last_frame, one of each; on 3.0 also up to 3 element items with a known element_id. Pictures: JPEG or PNG, at most 50 MB, sides from 300 px, 1:2.5 to 2.5:1; a link, asset://, a data URI or plain base64.',
    reason: 'The upstream contract; the specification shows only frames.',
  },
  {
    id: 'K-last-frame',
    scope: 'k',
    question: 'May turbo have a last_frame?',
    answer: 'Yes.',
    reason: 'The specification lists it for both models, although upstream refuses it on turbo.',
  },
  {
    id: 'K-external-id',
    scope: 'k',
    question: 'Where does external_id come from, and what does a second use give?',
    answer:
      'From external_task_id at top level or in options. A name is used up by the first task of the account that carries it, whatever its kind and fate; a second use is 400 with code 1201. external_id is absent when none was sent. One with a comma in it cannot be asked for in a batch query, which is split there.',
    reason: 'Upstream refuses repeats, so a name guards against paying twice.',
  },
  {
    id: 'K-ids',
    scope: 'k',
    question: 'What form do ids and times have?',
    answer:
      '18-digit decimal ids that hold their moment, (ms − 1568028518784) × 2^22 plus drawn bits; from April 2027 they have 19 digits. Times are epoch milliseconds.',
    reason: 'Upstream’s ids decode so.',
  },
  {
    id: 'K-batch',
    scope: 'k',
    question: 'How does GET /tasks behave at its edges?',
    answer:
      'At most 20 ids (21 are 400), items in the order asked for and each once; unknown, foreign, avatar, voice and preset tasks are missing from data; neither parameter is 400.',
    reason: 'Seen upstream; that avatars are not queried there is in the specification.',
  },
  {
    id: 'K-outputs',
    scope: 'k',
    question: 'What does a batch item hold beyond the listed fields?',
    answer:
      'outputs is [] before success; an output has type "video" too, and watermark_url when watermark_info.enabled asked for one: url is the clean file, watermark_url the marked one. A failed item has message.',
    reason: 'Upstream’s shape; a failure’s reason stands nowhere else.',
  },
  {
    id: 'K-duration',
    scope: 'k',
    question: 'How long is a file?',
    answer:
      '24 fps and 24 × seconds + 1 frames; duration is that length to the millisecond, cut off: 5 s give "5.041". Avatars are as long as their audio, motion control as its video.',
    reason: 'Measured upstream.',
  },
  {
    id: 'K-size',
    scope: 'k',
    question: 'How many pixels has a video?',
    answer:
      'As many as 1280x720, 1920x1080 or 3840x2160 have, in the shape of the first frame (else of the video, else aspect_ratio), sides even.',
    reason: 'Upstream names the class only.',
  },
  {
    id: 'K-states',
    scope: 'k',
    question: 'Which other states are there?',
    answer:
      'None: there is no cancelling and no expiring; what a scenario cancels fails here, what it expires stays processing.',
    reason: 'Specification, "States and transitions".',
  },
  {
    id: 'K-not-found',
    scope: 'k',
    question: 'What does a query of an unknown avatar or voice task give?',
    answer:
      '400 with code 1201, "Task not found by id/external id: …"; so does a task of another kind or account. The path takes an external id as well.',
    reason: 'Seen upstream; the specification declares one error response without a status.',
  },
  {
    id: 'K-avatar',
    scope: 'k',
    question: 'How is an avatar submitted?',
    answer:
      'POST /videos/avatar/image2video: image (JPEG or PNG, at most 10 MB), exactly one of audio_id (a voice_id of the account) and sound_file (MP3, WAV, M4A, AAC; 2 to 300 s, at most 5 MB), prompt, mode std (720p, default) or pro (1080p). With a voice it lasts 3 to 8 s, drawn.',
    reason:
      'Upstream’s published shape. There is no speech synthesis here, so a voice_id is the only audio_id.',
  },
  {
    id: 'K-voice',
    scope: 'k',
    question: 'How is a voice cloned?',
    answer:
      'POST /general/custom-voices: voice_name (at most 20 characters), exactly one of voice_url (a link to MP3, WAV, MP4, MOV of 5 to 30 s with sound) and video_id (the id of an output with sound). trial_url is a WAV of 3 to 6 s; owned_by is a number of the account’s.',
    reason: 'Upstream’s published shape.',
  },
  {
    id: 'K-presets',
    scope: 'k',
    question: 'How is the preset list paged, and what is in it?',
    answer:
      'pageNum 1 to 1000 (default 1), pageSize 1 to 500 (default 30), no total; the subjects of fixtures/presets.json, then those made through the control API for the account. task_status is succeed; task_id is a token signed under the world’s seed; element_id is a number that requests may carry as a string.',
    reason: 'The upstream contract; the subjects themselves are inventions.',
  },
  {
    id: 'K-beyond',
    scope: 'k',
    question: 'What do omni and motion-control submissions look like?',
    answer:
      'POST /omni-video/{model} (kling-3.0-omni, model_k_30_omni or model_k_30) and POST /motion-control/{model} (model_k_30), with contents and settings as upstream publishes them; their tasks are found through GET /tasks. Omni needs aspect_ratio when neither a frame nor a video tells the shape; it takes up to 7 pictures, 7 elements and one video of 3 to 10 s. Motion control needs character_orientation, an image and a video of 3 to 10 s (image) or 30 s (video).',
    reason: 'Upstream’s published shapes; some counts are its older ones.',
  },
  {
    id: 'K-errors',
    scope: 'k',
    question: 'What are the values of error.code, error.type and the status?',
    answer:
      'Upstream’s numbers as strings with its statuses (1201 parameters, 1200 not JSON, 1002 key, 1103 model, 1301 moderation, 1102 balance, 1302 rate, 5000 and 5001); moderation and balance are 403 as everywhere here. type is invalid_request_error, authentication_error, permission_error, content_policy_error, insufficient_quota, rate_limit_error or server_error.',
    reason: 'The body’s shape is that of gateways of this kind, the numbers are upstream’s.',
  },
  {
    id: 'I-defaults',
    scope: 'image',
    question: 'What are the defaults of the image fields whose defaults are not shown?',
    answer:
      'size 2K (in layer mode auto), output_format jpeg, response_format url, background opaque, optimize_prompt_options.mode standard (fast is the other value; thinking may be auto, enabled or disabled), watermark false.',
    reason: 'Upstream’s defaults, except watermark: false as for video.',
  },
  {
    id: 'I-images',
    scope: 'image',
    question: 'Which references does image take, and how many?',
    answer:
      'A string or a list of 1 to 10 strings: http(s) URLs, data URIs and asset:// references alike; an empty list is 400. The format is told from the bytes, whatever the label says. HEVC-coded HEIC is measured and accepted, and a card stands for it in the picture.',
    reason:
      'The specification sends certified faces through asset:// in all generation requests, although upstream’s image operation refuses such references.',
  },
  {
    id: 'I-nothing',
    scope: 'image',
    question: 'What about unsupported fields whose value asks for nothing?',
    answer:
      'n: 1, stream: false, tools: [] and sequential_image_generation: "disabled" (then its options too) pass; every other value is 400 and names the field. callback_url is 400.',
    reason: 'Clients send these values as their defaults.',
  },
  {
    id: 'I-ratio',
    scope: 'image',
    question: 'Which ratio has a picture when only a tier is given?',
    answer:
      'One that the prompt names (16:9, portrait, 竖版, …), else the one nearest to the first input, else 3:2.',
    reason: 'Upstream picks it from the prompt; 3:2 was measured.',
  },
  {
    id: 'I-size',
    scope: 'image',
    question: 'What does size auto mean, and what may size be in layer mode?',
    answer:
      'In layer mode a tier or auto: the base keeps the proportions of the source, with sides that are multiples of 16 and about the tier’s pixels; auto keeps the source’s own size as far as explicit sizes may go. WxH is 400 there. In normal mode auto means 2K.',
    reason: 'Upstream’s documentation and one measured sample.',
  },
  {
    id: 'I-transparent',
    scope: 'image',
    question: 'Which input does a transparent background need?',
    answer:
      'A PNG with at least one pixel that is not opaque; anything else is 400, as is transparent in layer mode.',
    reason: 'Upstream’s checks and wordings.',
  },
  {
    id: 'I-places',
    scope: 'image',
    question: 'What is the exact form of points and boxes in prompts?',
    answer:
      'Whole numbers 0 to 999 with blanks between them; anything else between the tags, and a tag without its counterpart, is 400. They point into the picture that is named before them (图2, image 2), else into the first.',
    reason: 'The specification gives the range, upstream’s samples the form.',
  },
  {
    id: 'I-layers',
    scope: 'image',
    question: 'What do the items of a decomposition look like?',
    answer:
      'The base is first, with z_index 0 and no bounding_box, name or description; layers follow in z order and are always PNG, of the size of their box. absolute is [left, top, right, bottom] in pixels of the base, normalized the same in 0 to 1000. Names are in the language of the prompt, Chinese without one. A picture in which nothing stands out has no layers.',
    reason: 'Upstream’s documentation and one measured sample.',
  },
  {
    id: 'I-usage',
    scope: 'image',
    question: 'How is usage counted?',
    answer:
      'input_images is the number of references, generated_images the number of items; output_tokens = total_tokens = the pixels of all items together / 256, rounded.',
    reason: 'Measured upstream.',
  },
  {
    id: 'I-outcome',
    scope: 'image',
    question: 'What becomes of scenario outcomes in a synchronous call?',
    answer:
      'queue and run times are left out, and every outcome but succeeded is a failure: the reply has the failure’s code and message, with 403 for content moderation codes, the code’s own status where the table of errors lists it, else 500. The task is kept as failed and refunded.',
    reason: 'The specification says that 5XX codes follow the real cause.',
  },
  {
    id: 'I-rate',
    scope: 'image',
    question: 'Where does an image request wait for its rate-limit slot?',
    answer:
      'In realtime mode the reply waits, up to 60 s of virtual time; in manual and auto mode it is 429 RateLimitExceeded at once, with Retry-After.',
    reason: 'The gateway queues; but where time stands still a waiting caller would wait for ever.',
  },
  {
    id: 'I-codes',
    scope: 'image',
    question: 'Which codes have the image errors that are declared without one?',
    answer:
      '403 AccessDenied (model), InputImageSensitiveContentDetected.PrivacyInformation (real face), InputTextSensitiveContentDetected (moderation by scenario), AccountOverdueError (balance); 413 RequestTooLarge; 500 InternalServiceError; 503 ServiceUnavailable.',
    reason: 'The upstream contract of the same provider.',
  },
]
