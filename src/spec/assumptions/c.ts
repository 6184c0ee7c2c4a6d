import { pages, rising, sums } from '../agreements.ts'
import { digits } from '../forms.ts'
import { fields, type Predicate, repeated } from '../predicates.ts'
import type { SpecFamily } from '../sight.ts'
import { answersOf, documented, guess, inferred, measured, specification } from './assumption.ts'

const both = (seen: (family: SpecFamily) => Predicate[]) => ({ c: seen('c'), special: seen('special') })

/** Family C and C-special. */
export const familyC = answersOf('c', {
  'C-content': [
    'Which content items are there besides text and video, with which roles and combinations?',
    'image_url (first_frame, last_frame, reference_image), video_url (reference_video; base_video in regenerations), audio_url (reference_audio), each with {url} and a role. A single image without a role is a first frame. A content has exactly one non-empty text of at most 7000 characters, and with it nothing, a first frame, a last frame, both, or references: at most 9 images, 3 videos and 3 audios, 12 in total, not audio alone.',
    'The upstream contract.',
    documented('high', 'Kinds, roles and combinations of content items.'),
    { statuses: [[/^(?:c|special)\.(?:create|enhance)$/, /400/, /^content/]] },
  ],
  'C-media': [
    'Which input files are allowed?',
    'Images: JPEG, PNG, WEBP, HEIC or HEIF, up to 30 MB, sides of 256 to 5760 px, width / height of 0.4 to 2.5. Videos: MP4 or MOV with H.264 or H.265 and AAC or MP3, up to 50 MB, 2 to 15 s, 15 s in total, 23.976 to 60 fps. Audios: WAV or MP3, up to 15 MB, 2 to 15 s, 15 s in total. Lengths have 0.2 s of tolerance.',
    'The upstream contract.',
    documented('high', 'Limits of input files.'),
  ],
  'C-required': [
    'Which fields of a create are required, and how long are standard videos?',
    'model, content, resolution (exactly 768P or 2K) and duration (4 to 15 whole seconds). Prompt enhancement needs the same without resolution.',
    'The upstream contract. The specification gives a range for the special variant only.',
    documented('high', 'Required fields and the range of duration.'),
    {
      statuses: [
        [/^c\.(?:create|enhance)$/, /400/, /^(?!callback_url|content|ratio$)/],
        [/^special\.(?:create|enhance)$/, /400/, /^(?!callback_url|content|ratio$|duration$|resolution$)/],
        [/\.regenerate$/, /400/, /^(?!callback_url|content|ratio$|source_task_id|resolution$)/],
      ],
    },
  ],
  'C-ratio': [
    'Which ratio does a task get?',
    'In standard C, and for prompt enhancement in both variants: with text alone, ratio is required and may not be adaptive; with frames, any listed value is ignored and the frame decides; with references, the default is adaptive, which follows the first picture or video. Adaptive gives the nearest of 21:9, 16:9, 4:3, 1:1, 3:4, 9:16. For special videos, ratio is required in every mode, and it decides.',
    'The upstream contract. The specification does not say when standard videos need a ratio. For the special variant it must be explicit, and the enhancement is “like standard”.',
    documented('medium', 'The rules of ratio in each mode.'),
    {
      claims: [[/^(?:c|special)\./, /^ratio$/, 'value']],
      completes: { 'c.reply': /ratio$/ },
      statuses: [[/^c\./, /400/, /^ratio$/]],
    },
  ],
  'C-callback': [
    'What does an empty callback_url give?',
    'null and an empty string count as not sent.',
    'Some clients write options that are not set this way; they ask for no callback.',
    documented('medium', 'Vendor examples carry callback_url as an empty string.'),
  ],
  'C-group': [
    'Does an account’s group limit the resolutions of this family?',
    'Only a group that is empty, or that names a resolution besides 480p, 720p, 1080p and 4k: it may use 768P and 2K when it lists them, also for regenerations. A group that names some of those four alone says nothing of this family. Prompt enhancement has no resolution.',
    'Specification, “Errors” rule 1 covers all families, but the group that “may use all four” would otherwise shut family C out.',
    specification('medium', 'Errors', 'A resolution that the group does not allow is a 400.'),
  ],
  'C-ids': [
    'Which form do ids and times have?',
    'Ids have 15 digits. Request ids are 02, the Unix seconds and 20 hex digits. Times are Unix seconds.',
    'All published examples have this form.',
    inferred('medium', 'Every published example has this form.'),
    {
      seen: both(family => [rising(`${family}.record`, 'created_at', 'updated_at')]),
      claims: [[/^(?:c|special)\./, /^(?:task_id|id|created_at|updated_at|request_id)$/, 'format']],
    },
  ],
  'C-unknown-task': [
    'What does the standard variant answer for an id that does not exist, is older than 7 days, or belongs to another account or to the special variant?',
    '400 bad_request_error “invalid task_id (2013)”; in the special variant 404 not_found_error. The same holds for source_task_id.',
    'Upstream declares no 404; the specification does for the special variant.',
    documented('medium', 'An id outside the window gives “invalid task_id”; 404 is not declared.'),
    {
      statuses: [
        [/^(?:c|special)\.(?:get|delete)$/, /404/],
        [/^c\.(?:get|delete)$/, /400/, /invalid task_id/],
      ],
    },
  ],
  'C-list': [
    'Which limits, order and unnamed filter does the list have?',
    'page_size is 1 or more; a page holds at most 500 items, also when a larger size is asked for. Newest first. filter.task_ids is repeated for several ids. filter.model matches the name that was sent at create. total counts all matches.',
    'Upstream has a filter of this name, and its filters match exactly. It publishes no largest page, so no size is refused.',
    documented('medium', 'The name of the filter; the largest page is not published.'),
    {
      seen: both(family => pages(`${family}.list`, 'items', 'created_at', 20)),
      claims: [[/^(?:c|special)\./, /^items$/, 'count order']],
      completes: { 'c.reply': /^(?:items|total)$/ },
      statuses: [[/^(?:c|special)\.list$/, /400/]],
    },
  ],
  'C-special-access': [
    'What do 403 and 404 mean for operations that name neither a model nor a task, such as the special list?',
    'That this account may not use the special variant. The account setting special says so: forbidden gives each call 403 permission_error, not_found 404 not_found_error. Without it every account may use it.',
    'Both statuses are declared for the list, so the account is the only thing that they can be about.',
    specification('medium', 'Endpoints', 'The list declares 200, 401, 403 and 404.'),
    { scope: 'special' },
  ],
  'C-delete': [
    'What does DELETE answer in the states that the table leaves out?',
    'Standard: a running or cancelled task is 400 and unchanged. Special: a queued or cancelled task is 501 and unchanged, like a running one. A deleted task is unknown afterwards; its charge stays.',
    'Upstream declares 400. The special DELETE declares 401, 403, 404 and 501; it uses 501 for a state that cannot be deleted.',
    documented(
      'medium',
      'running and cancelled cannot be operated; 400 is the only fitting declared status.',
    ),
    { statuses: [[/^c\.delete$/, /400/, /^(?!.*invalid task_id)/]] },
  ],
  'C-usage': [
    'What does usage contain, and when?',
    'A succeeded video has total, input and output seconds (input: the reference videos, rounded) and the number of input images. A succeeded prompt enhancement has tokens, about one for four letters plus 4800 for instructions and 800 for each file; in the special variant it has an empty object. Failed tasks have the same keys with 0; tasks in other states have no usage. Videos are charged by total seconds.',
    'Upstream’s samples; the conversion is not published.',
    documented('medium', 'Samples of usage; the conversion to tokens is not published.'),
    {
      seen: both(family => [
        sums(`${family}.record`, 'usage.total_seconds', 'usage.input_seconds', 'usage.output_seconds'),
        sums(`${family}.record`, 'usage.total_tokens', 'usage.prompt_tokens', 'usage.completion_tokens'),
      ]),
      claims: [
        [
          /^(?:c|special)\./,
          /^usage(?:\.(?:total|input|output)_seconds|\.input_image_count|\.\w*tokens)?$/,
          'value absent more',
        ],
      ],
      completes: { 'c.reply': /usage/ },
    },
  ],
  'C-task': [
    'Which fields does a task have in each state?',
    'error if it failed, content if it succeeded, resolution unless it is a prompt enhancement, duration (of a regeneration: that of its source), ratio (of a regeneration: empty).',
    'Upstream’s samples.',
    documented('medium', 'Samples of tasks in their states.'),
    {
      claims: [[/^(?:c|special)\./, /^resolution$/, 'absent more']],
      completes: { 'c.reply': /^(?:task|items\[\])\.(?!.*(?:ratio$|usage))|^file/ },
    },
  ],
  'C-pixels': [
    'How many pixels does a video have?',
    '2K: 2560x1440, 2208x1656, 1920x1920, 2912x1248 and their upright forms. 768P: 1344x768, 1152x864, 992x992, 1536x672 and their upright forms.',
    '16:9 was measured upstream. The other ratios have about its area, and 768P stays within the limits of a base video.',
    measured('low', '2560x1440 and 1344x768 for 16:9; other shapes are not published.'),
    { claims: [[/^c\.file$/, /^file\.(?:width|height)$/]] },
  ],
  'C-frames': [
    'How long is a file?',
    '24 fps. At 768P the number of frames is the nearest one that a base video may have: 4 s have 107 frames, 5 s 124, 10 s 243, 15 s 362. So every 768P result can be regenerated. At 2K it is exactly seconds times 24. A regeneration has as many frames as its source.',
    'Upstream makes base videos of 107 + 17 n frames.',
    documented('medium', 'A base video has 107 to 362 frames in steps of 17.'),
    { claims: [[/^c\.file$/, /^file\.(?!width|height)/]] },
  ],
  'C-base-video': [
    'Which videos can be base videos?',
    'MP4 or MOV with a sound track, 24 fps, sides divisible by 32, at most 1344 × 768 pixels, 107 to 362 frames in steps of 17, all measured from the file. A video that is not fetched counts as compatible in the standard variant, and is 400 in the special one.',
    'The upstream contract. For the special variant, the specification says that arbitrary video is not assumed compatible.',
    documented('high', 'Limits of the base video.'),
  ],
  'C-regeneration': [
    'Which other rules hold for regenerations?',
    'source_task_id must be a succeeded generation of the same variant and account, at any resolution, at most 7 days old. A content has one base_video, at most one text of up to 40000 characters, and references or frames as in a create. duration and ratio are ignored. The output has as many frames as its source, the 2K size nearest to the source’s aspect, and the same pictures.',
    'The upstream contract. Accepting a content without a text is leniency.',
    documented('medium', 'Fields of the regeneration.'),
  ],
  'C-enhanced': [
    'What does an enhanced prompt look like?',
    'Sections integrated_multimodal_description, overall_soundscape and non_diegetic_music; two to five shots with time codes below the duration. The shots contain every sentence of the given prompt. The other words are drawn from the seed.',
    'Upstream’s samples; what its model would write cannot be known.',
    documented('medium', 'Samples of enhanced prompts.'),
  ],
  'C-errors': [
    'Which error types are there besides bad_request_error?',
    '401 authorized_error, 403 permission_error (not allowed, or moderated) and insufficient_balance_error, 404 not_found_error, 429 rate_limit_error, 501 not_implemented_error, 5xx server_error and overloaded_error; http_code is a string, and messages end with upstream’s internal number. error.code of a failed task is such a number as a string.',
    'Upstream’s names where it publishes them, else names of the same form.',
    documented(
      'medium',
      'Error types, numbers and messages; those of the special variant are not published.',
    ),
    {
      seen: both(family => [fields(`${family}.record`, { 'error.code': digits }, undefined, repeated)]),
      claims: [[/^c\.error$/, /^error\.(?:type|http_code)$/, 'value', /^(?!bad_request_error$)/]],
      completes: { 'c.error': /^(?:error|type$|request_id|header\.content-type)/ },
    },
  ],
  'C-run-times': [
    'How long does a prompt enhancement take?',
    'Queued 0.5 to 1.5 s, then 3 to 8 s, drawn from the seed.',
    'A text takes less time than a video.',
    measured('low', 'One enhancement took 29 s, one 2K video 417 s.'),
  ],
  'C-links': [
    'How long do links live?',
    '24 hours from success.',
    'Upstream calls them limited in time without a figure; 24 hours is what the other upstreams of this gateway use.',
    guess('low', 'No figure is published; a new query may bring a new link upstream.'),
    { claims: [[/^(?:c|special)\./, /^link\.life$/]] },
  ],
})
