import { pages, rising, sums } from '../agreements.ts'
import { neverShown, words } from '../forms.ts'
import { fields, repeated } from '../predicates.ts'
import { answersOf, documented, measured, specification } from './assumption.ts'

/** Family A. */
export const familyA = answersOf('a', {
  'A-prompt-flags': [
    'What do flags at the end of a prompt do, such as --rt 16:9 --dur 5?',
    'Nothing: they are words of the prompt, and the story says so. Only the fields of the body set options.',
    'They are an old form that upstream hardly checks. The specification names only the fields.',
    documented(
      'low',
      'Flags at the end of a prompt are an old form; the fields of the body are the recommended one.',
    ),
  ],
  'A-cancelled-records': [
    'How long can a cancelled task be queried?',
    '7 days, like any other task.',
    'Upstream removes such records after 24 hours, but the specification gives one window for all tasks of the family.',
    documented('low', 'Cancelled records are removed after 24 hours; tasks can be queried for 7 days.'),
  ],
  'A-content': [
    'What are the fields of content items, and which combinations are legal?',
    'An item is text, or image_url, video_url or audio_url with {url} and a role. A content is a text, and with it nothing, one first frame, a first and a last frame, or any mix of references (2.0: 9 images, 3 videos, 3 audios, not audio alone; 2.5: 30, 10, 10). A single image without a role is a first frame.',
    'The upstream contract.',
    documented('high', 'Kinds, roles, combinations and counts of content items.'),
    { statuses: [[/^a\.create$/, /400/, /^content./]] },
  ],
  'A-flags': [
    'How are the last-frame flag and the expiry field named?',
    'return_last_frame and execution_expires_after (default 172800).',
    'The upstream contract.',
    documented('high', 'Names and defaults of both fields.'),
    { claims: [[/^a\.(?:get|list)$/, /^execution_expires_after$/]] },
  ],
  'A-forbidden': [
    'Which other upstream fields are refused?',
    'frames, camera_fixed: true, draft: true, draft_task items and any service_tier except default are 400. priority 0 to 9, safety_identifier and tools are accepted; the create answers with nothing but the id, and the record repeats priority and safety_identifier.',
    'The refused fields belong to other models; official samples send the accepted ones.',
    documented('medium', 'These fields belong to 1.x models, or are refused by 2.0 and 2.5.'),
    {
      claims: [[/^a\./, /^(?:service_tier|draft|priority|safety_identifier)$/]],
      statuses: [
        [
          /^a\.create$/,
          /400/,
          /^(?:frames|camera_fixed|draft|service_tier|priority|safety_identifier|tools)/,
        ],
      ],
    },
  ],
  'A-auto-type': [
    'Is omni_reference_task_type: auto refused where no multimodal reference is?',
    'No: on 2.5 auto is accepted with every content. The other values are 400 there, and 2.0 refuses all.',
    'auto is the default, so it asks for nothing; clients that send every default would be refused. The specification’s “only” speaks of declaring a type.',
    specification('medium', 'Family A: create request', '2.5 multimodal reference tasks only, default auto.'),
  ],
  'A-defaults': [
    'What are the defaults of resolution and, on 2.0, of duration?',
    '720p, and 5 seconds. -1 picks a length from the seed.',
    'The upstream contract.',
    documented('high', 'Defaults of resolution and duration.'),
  ],
  'A-task-type': [
    'How does auto decide the task type of 2.5, and when are its rules checked?',
    'With a reference video, words of the prompt decide. A verb of editing or extending counts when its object is the video; borrowing style, camera, motion, rhythm or voice of the video means reference; “keep everything unchanged” means edit. When such a guess meets an explicit ratio or duration, the task has the finding task_type_guessed. The rules are checked at create: 400 InvalidParameter.TaskTypeConstraint. With the scenario task-type-mismatch, a task whose declared type contradicts its prompt fails with InvalidParameter.TaskTypeMismatch. An edit needs one reference video of 4 to 30 s; the first of that length is edited, and further videos may be shorter.',
    'The specification says that the caller must send conforming values; upstream was seen to refuse at create and later. No list of words settles what a prompt means, so each guess is told. It also says “a reference video of 4 to 30 seconds”, so one is enough.',
    measured('medium', 'The refusal was seen at create and as a failed task; words of the prompt decide.'),
    { claims: [[/^a\.error$/, /^error\.code$/, 'value', /TaskTypeConstraint/]] },
  ],
  'A-times': [
    'Which unit do timestamps have, and which form does the id have?',
    'Unix seconds; cgt-YYYYMMDDHHMMSS-xxxxx with the time in UTC+8.',
    'The upstream contract.',
    measured('high', 'Ids and moments of real tasks.'),
    {
      seen: { a: [rising('a.record', 'created_at', 'updated_at')] },
      claims: [[/^a\.(?:create|get|list)$/, /^(?:id|created_at|updated_at)$/, 'format']],
    },
  ],
  'A-list': [
    'What are the list’s parameters and shape?',
    'page_num and page_size from 1 to 500 (default 1 and 20; outside is 400), filter.status, repeated filter.task_ids, filter.model (exactly what was sent at create), filter.service_tier (all tasks are default); {items, total}, newest first. List and query reach 7 days back.',
    'The upstream contract.',
    documented(
      'medium',
      'Parameters of the list and its reply; what a value out of range gives is not known.',
    ),
    {
      seen: { a: pages('a.list', 'items', 'created_at', 20) },
      claims: [[/^a\.list$/, /^(?:items|total)$/]],
      statuses: [[/^a\.list$/, /[24]00/]],
    },
  ],
  'A-delete': [
    'What does DELETE answer in each state?',
    'Queued: cancelled. Running and cancelled: 409. Succeeded, failed, expired: the record is removed, later 404. Success is 200 {}.',
    'The upstream contract; {} is the only reply that all official clients can read.',
    documented('medium', 'What DELETE does in each state; 409 was seen for a running task.'),
    {
      claims: [
        [/^a\.delete$/, /^/],
        [/^a\.error$/, /^error\.code$/, 'value', /Deletion$/],
      ],
      statuses: [[/^a\.delete$/, /./]],
    },
  ],
  'A-cancel': [
    'What becomes of a task that a scenario cancels?',
    'It is cancelled at the moment when it would have started, and never runs. Forcing a running task to cancelled is 409.',
    'In the specification’s table of states, only a queued task can become cancelled.',
    specification('high', 'States and transitions', 'Only a queued task can become cancelled.'),
  ],
  'A-record': [
    'Which values do the fields of a record have where the specification gives only their types?',
    'Resolution, ratio, duration, sound and format are those of the request, or what the service chose for adaptive, -1 and fields that were left out. There are 24 frames a second. The file has the pixels, the length, the frames and the sound of its record. Fields that do not apply yet are left out and are never null.',
    'A record describes its result, and clients read it instead of the file.',
    documented(
      'high',
      'The upstream’s records show the actual ratio and seconds of the video, and 24 frames a second.',
    ),
    { completes: { 'a.reply': /^(?!usage|items$|total$|header)/ } },
  ],
  'A-errors': [
    'Which code, type and param do errors have?',
    'The codes of the upstream, such as InvalidParameter and InvalidParameter.TaskTypeConstraint; the type is the class of the status, such as BadRequest; param is the parameter that is refused, or an empty string. The body is JSON.',
    'The specification has the shape and one example of a type; codes are not shown.',
    specification(
      'medium',
      'Errors',
      'An error is {error: {code, message, param, type}}, type as in BadRequest. Code values are not shown.',
    ),
    {
      seen: { a: [fields('a.record', { 'error.code': neverShown(words) }, undefined, repeated)] },
      completes: { 'a.error': /^error|^header\.content-type$/ },
    },
  ],
  'A-usage': [
    'How are tokens counted?',
    'floor(width × height × frames / 1024), with frames = 24 × (input video seconds + output seconds) + 1. Extensions have no extra frame. The output seconds of an edit are those of its file.',
    'Measured upstream.',
    measured('high', 'The formula gives every measured count to the token.'),
    {
      seen: { a: [sums('a.record', 'usage.total_tokens', 'usage.completion_tokens')] },
      claims: [[/^a\.(?:get|list)$/, /^usage\.(?:completion|total)_tokens$/, 'value']],
      completes: { 'a.reply': /^usage/ },
    },
  ],
  'A-codec': [
    'Which codecs do files have?',
    '8-bit H.264 and mono AAC, also in mov files, because every browser plays them. codecs: upstream in the config file gives what upstream delivers: mov files with H.264 in 4:4:4 and PCM sound, and HEVC where upstream uses it.',
    'Developers of web pages need files that play. By the specification, an explicit mov is the upstream’s native file, which browsers cannot play.',
    documented(
      'high',
      '2.0 at 4k and 2.5 at 1080p are 10-bit H.265, everything else is 8-bit H.264; mov is H.264 4:4:4 with PCM.',
    ),
  ],
  'A-frames': [
    'How many frames does a file have?',
    '24 for each second and one more. An extension has 24 for each second. An edit has as many as its input, and its duration is that length rounded down.',
    'The token counts measured upstream include one frame more than the seconds. An extension of 5 s was measured at 120 frames. An edit keeps the length of its input.',
    measured('high', '121 frames for 5 s, 120 for an extension of 5 s.'),
  ],
  'A-adaptive': [
    'Which ratio do record and file of 2.0 have when an adaptive first frame has an unlisted shape?',
    'The nearest listed ratio; the picture is cropped to it. On 2.5, record and file follow the picture.',
    '2.0 reports listed ratios only, and record and file must agree.',
    measured('medium', 'Only 2.5 was seen to report ratios outside the list.'),
  ],
})
