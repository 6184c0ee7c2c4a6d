import { pages, rising, sums } from '../agreements.ts'
import { neverShown, words } from '../forms.ts'
import { fields, repeated } from '../predicates.ts'
import { answersOf, client, documented, guess, inferred, specification } from './assumption.ts'

/** Family B. */
export const familyB = answersOf('b', {
  'B-header': [
    'Which values may the asynchronous header have?',
    'X-Vendor-Async and X-DashScope-Async may be enabled, enable or left out. Anything else is 400.',
    'The specification says enabled; the official clients of the upstream send enable.',
    client('high', 'The upstream header has another name and the value enable; official clients send that.'),
    { statuses: [[/^b\.create$/, /400/, /X-\w+-Async/i]] },
  ],
  'B-media': [
    'What do media items look like, and which combinations, counts and files are allowed?',
    '{type, url} with first_frame, last_frame (1 each), reference_image (10), reference_video (5), reference_audio (5), file or link (1). A last frame needs a first one, and frames exclude everything else. References combine freely, also with one file or link; a file or link may be alone. Files have the limits that upstream publishes. Pictures may be data URIs. An asset:// reference must belong to the account.',
    'The upstream contract.',
    documented('high', 'Kinds, combinations, counts and limits of media items.'),
    { statuses: [[/^b\.create$/, /400/, /media/]] },
  ],
  'B-prompt': [
    'When is the prompt required, and how long may it be?',
    'A request needs a prompt or media. Characters after the first 20,000 are cut off, also in orig_prompt; the reply does not say so, the story does.',
    'The upstream contract.',
    documented('high', 'Longer prompts are cut without an error.'),
    { statuses: [[/^b\.create$/, /400/, /prompt(?!_extend)/]] },
  ],
  'B-parameters': [
    'What values and defaults do the parameters have?',
    'resolution 480P, 720P, 1080P (default 1080P, upper case only); ratio adaptive (default) or one of six; duration 2 to 30 together with input videos, -1, or 5 by default; audio (default true), seed (-1 or 0 to 2147483647) and watermark are allowed too; prompt_extend must be true with a file or link.',
    'The upstream contract.',
    documented('high', 'Values and defaults of all parameters.'),
    { statuses: [[/^b\.create$/, /400/, /parameters/]] },
  ],
  'B-late': [
    'When are bad parameters refused?',
    'At create: 400 InvalidParameter, no charge. With the scenario late-validation, as upstream: 200 at create, then FAILED.',
    'The specification declares 400 at create.',
    specification('high', 'Errors', '400 InvalidParameter is declared at create.'),
  ],
  'B-errors': [
    'Which codes and messages do refusals have?',
    'Upstream’s, followed by parameter and reason. A bad value is 400 InvalidParameter, a real face 403 DataInspectionFailed, a model that the token may not use 403 Model.AccessDenied. A 404 that a scenario gives has the code TaskNotFound.',
    'The upstream contract; the specification gives 403 for moderation.',
    documented('medium', 'Codes and messages of the table of errors.'),
    {
      claims: [[/^b\.error$/, /^code$/, 'value']],
      completes: { 'b.error': /^(?:code|message|request_id|header\.content-type)$/ },
    },
  ],
  'B-validity': [
    'How long can a task be queried?',
    '24 hours from its creation. After that the answer is 200 with UNKNOWN, as for a missing task and for a task of another account.',
    'The upstream contract.',
    documented('high', 'Task ids and links are valid for 24 hours.'),
  ],
  'B-states': [
    'Which fields does the output have in each state?',
    'submit_time always, scheduled_time once running, end_time once over; orig_prompt and video_url on success; code and message on failure; usage on success only.',
    'The upstream contract where it is published, else the simplest reading.',
    documented('medium', 'Samples of SUCCEEDED, FAILED and UNKNOWN; the other states are inferred.'),
    {
      seen: {
        b: [
          fields('b.get', { 'output.code': neverShown(words) }, undefined, repeated),
          rising('b.get', 'output.submit_time', 'output.scheduled_time', 'output.end_time'),
        ],
      },
      claims: [
        [/^b\.get$/, /^output\.(?:submit|scheduled|end)_time$/, 'absent more null'],
        [/^b\.get$/, /^output\.(?:code|message)$|^usage$/],
      ],
      completes: { 'b.reply': /^output|^usage$/ },
    },
  ],
  'B-times': [
    'Which time zone do times have?',
    'UTC+8, written without a zone.',
    'Seen upstream.',
    inferred('medium', 'A recorded time fits the expiry of the link beside it only in UTC+8.'),
  ],
  'B-usage': [
    'What does usage.duration count?',
    'Input and output video seconds together. The charge is this times the price per second. fps is 30, SR is the number of the resolution.',
    'Sibling pages of the upstream say so.',
    documented('medium', 'Pages of sibling models define the sum.'),
    {
      seen: {
        b: [sums('b.get', 'usage.duration', 'usage.input_video_duration', 'usage.output_video_duration')],
      },
      claims: [[/^b\.get$/, /^usage\.(?:duration|\w+_video_duration|fps|SR)$/, 'value']],
      completes: { 'b.reply': /^usage\.(?!ratio)|^file/ },
    },
  ],
  'B-ratio': [
    'Which ratio does adaptive give?',
    'Exactly the ratio of a first frame; without one, the listed ratio nearest to the first reference video or picture; without these, a listed ratio drawn from the seed.',
    'The upstream says it follows input media and intent.',
    documented('medium', 'adaptive follows the input media and the intent.'),
    { claims: [[/^b\.get$/, /^usage\.ratio$/, 'value']], completes: { 'b.reply': /^usage\.ratio/ } },
  ],
  'B-pixels': [
    'How many pixels does a video have?',
    '720P and 1080P as upstream published for its earlier models (1280x720, 1920x1080, 1104x832, …); 480P and 21:9 have about the same areas.',
    'No table is published for this model.',
    guess('low', 'No table is published for this model; earlier models have one.'),
    { claims: [[/^b\.file$/, /^file\.(?:width|height)$/]] },
  ],
  'B-cancel': [
    'How does a client cancel a task?',
    'With POST /api/v1/tasks/{id}/cancel while the task is PENDING; the reply holds only the request_id. In other states, and for a missing task, it is 400 UnsupportedOperation.',
    'The upstream contract; beyond the specification.',
    documented('high', 'The cancel call and its refusal.'),
    { claims: [[/^b\.cancel$/, /^/]], statuses: [[/^b\.cancel$/, /./]] },
  ],
  'B-list': [
    'Which parameters does the list of tasks take, and what does it return?',
    'GET /api/v1/tasks: start_time and end_time (YYYYMMDDhhmmss, UTC+8, at most 24 hours apart), task_id, model_name, status, page_no from 1, page_size 1 to 100 (default 10). The reply has epoch milliseconds, newest first.',
    'The upstream contract; beyond the specification. Its largest page is not published.',
    documented('medium', 'The list of tasks and its parameters; its largest page is not published.'),
    {
      seen: {
        b: [
          ...pages('b.list', 'data', 'gmt_create', 10),
          rising('b.row', 'gmt_create', 'start_time', 'end_time'),
        ],
      },
      claims: [[/^b\.list$/, /^/]],
      statuses: [[/^b\.list$/, /[24]00/]],
    },
  ],
  'B-sound': [
    'Is the sound mono or stereo?',
    'Stereo AAC; no sound track with audio: false.',
    'The specification says mono for family A only.',
    guess('low', 'No source names the channels of this model.'),
    { claims: [[/^b\.file$/, /^file\.audio$/]] },
  ],
})
