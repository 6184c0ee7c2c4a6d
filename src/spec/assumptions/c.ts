import { pages, rising, sums } from '../agreements.ts'
import { digits } from '../forms.ts'
import { fields, type Predicate, repeated } from '../predicates.ts'
import type { SpecFamily } from '../sight.ts'
import { answersOf, documented, guess, inferred, measured, specification } from './assumption.ts'

const both = (seen: (family: SpecFamily) => Predicate[]) => ({ c: seen('c'), special: seen('special') })

/** Family C and C-special. */
export const familyC = answersOf('c', {
  'C-content': {
    question: 'Which content items are there besides text and video, with which roles and combinations?',
    answer:
      'image_url (first_frame, last_frame, reference_image), video_url (reference_video; base_video in regenerations), audio_url (reference_audio), each with {url} and a role. A single image without a role is a first frame. A content has exactly one non-empty text of at most 7000 characters, and with it nothing, a first frame, a last frame, both, or references: at most 9 images, 3 videos and 3 audios, 12 in total, not audio alone.',
    reason: 'The upstream contract.',
    source: documented('Kinds, roles and combinations of content items.'),
    certainty: 'high',
    statuses: [[/^(?:c|special)\.(?:create|enhance)$/, /400/, /^content/]],
  },
  'C-media': {
    question: 'Which input files are allowed?',
    answer:
      'Images: JPEG, PNG, WEBP, HEIC or HEIF, up to 30 MB, sides of 256 to 5760 px, width / height of 0.4 to 2.5. Videos: MP4 or MOV with H.264 or H.265 and AAC or MP3, up to 50 MB, 2 to 15 s, 15 s in total, 23.976 to 60 fps. Audios: WAV or MP3, up to 15 MB, 2 to 15 s, 15 s in total. Lengths have 0.2 s of tolerance.',
    reason: 'The upstream contract.',
    source: documented('Limits of input files.'),
    certainty: 'high',
  },
  'C-required': {
    question: 'Which fields of a create are required, and how long are standard videos?',
    answer:
      'model, content, resolution (exactly 768P or 2K) and duration (4 to 15 whole seconds). Prompt enhancement needs the same without resolution.',
    reason: 'The upstream contract. The specification gives a range for the special variant only.',
    source: documented('Required fields and the range of duration.'),
    certainty: 'high',
    statuses: [
      [/^c\.(?:create|enhance)$/, /400/, /^(?!callback_url|content|ratio$)/],
      [/^special\.(?:create|enhance)$/, /400/, /^(?!callback_url|content|ratio$|duration$|resolution$)/],
      [/\.regenerate$/, /400/, /^(?!callback_url|content|ratio$|source_task_id|resolution$)/],
    ],
  },
  'C-ratio': {
    question: 'Which ratio does a task get?',
    answer:
      'In standard C, and for prompt enhancement in both variants: with text alone, ratio is required and may not be adaptive; with frames, any listed value is ignored and the frame decides; with references, the default is adaptive, which follows the first picture or video. Adaptive gives the nearest of 21:9, 16:9, 4:3, 1:1, 3:4, 9:16. For special videos, ratio is required in every mode, and it decides.',
    reason:
      'The upstream contract. The specification does not say when standard videos need a ratio. For the special variant it must be explicit, and the enhancement is “like standard”.',
    source: documented('The rules of ratio in each mode.'),
    certainty: 'medium',
    claims: [[/^(?:c|special)\./, /^ratio$/, 'value']],
    completes: { 'c.reply': /ratio$/ },
    statuses: [[/^c\./, /400/, /^ratio$/]],
  },
  'C-callback': {
    question: 'What does an empty callback_url give?',
    answer: 'null and an empty string count as not sent.',
    reason: 'Some clients write options that are not set this way; they ask for no callback.',
    source: documented('Vendor examples carry callback_url as an empty string.'),
    certainty: 'medium',
  },
  'C-group': {
    question: 'Does an account’s group limit the resolutions of this family?',
    answer:
      'Only a group that is empty, or that names a resolution besides 480p, 720p, 1080p and 4k: it may use 768P and 2K when it lists them, also for regenerations. A group that names some of those four alone says nothing of this family. Prompt enhancement has no resolution.',
    reason:
      'Specification, “Errors” rule 1 covers all families, but the group that “may use all four” would otherwise shut family C out.',
    source: specification('Errors', 'A resolution that the group does not allow is a 400.'),
    certainty: 'medium',
  },
  'C-ids': {
    question: 'Which form do ids and times have?',
    answer:
      'Ids have 15 digits. Request ids are 02, the Unix seconds and 20 hex digits. Times are Unix seconds.',
    reason: 'All published examples have this form.',
    source: inferred('Every published example has this form.'),
    certainty: 'medium',
    seen: both(family => [rising(`${family}.record`, 'created_at', 'updated_at')]),
    claims: [[/^(?:c|special)\./, /^(?:task_id|id|created_at|updated_at|request_id)$/, 'format']],
  },
  'C-unknown-task': {
    question:
      'What does the standard variant answer for an id that does not exist, is older than 7 days, or belongs to another account or to the special variant?',
    answer:
      '400 bad_request_error “invalid task_id (2013)”; in the special variant 404 not_found_error. The same holds for source_task_id.',
    reason: 'Upstream declares no 404; the specification does for the special variant.',
    source: documented('An id outside the window gives “invalid task_id”; 404 is not declared.'),
    certainty: 'medium',
    statuses: [
      [/^(?:c|special)\.(?:get|delete)$/, /404/],
      [/^c\.(?:get|delete)$/, /400/, /invalid task_id/],
    ],
  },
  'C-list': {
    question: 'Which limits, order and unnamed filter does the list have?',
    answer:
      'page_size is 1 or more; a page holds at most 500 items, also when a larger size is asked for. Newest first. filter.task_ids is repeated for several ids. filter.model matches the name that was sent at create. total counts all matches.',
    reason:
      'Upstream has a filter of this name, and its filters match exactly. It publishes no largest page, so no size is refused.',
    source: documented('The name of the filter; the largest page is not published.'),
    certainty: 'medium',
    seen: both(family => pages(`${family}.list`, 'items', 'created_at', 20)),
    claims: [[/^(?:c|special)\./, /^items$/, 'count order']],
    completes: { 'c.reply': /^(?:items|total)$/ },
    statuses: [[/^(?:c|special)\.list$/, /400/]],
  },
  'C-special-access': {
    scope: 'special',
    question:
      'What do 403 and 404 mean for operations that name neither a model nor a task, such as the special list?',
    answer:
      'That this account may not use the special variant. The account setting special says so: forbidden gives each call 403 permission_error, not_found 404 not_found_error. Without it every account may use it.',
    reason:
      'Both statuses are declared for the list, so the account is the only thing that they can be about.',
    source: specification('Endpoints', 'The list declares 200, 401, 403 and 404.'),
    certainty: 'medium',
  },
  'C-delete': {
    question: 'What does DELETE answer in the states that the table leaves out?',
    answer:
      'Standard: a running or cancelled task is 400 and unchanged. Special: a queued or cancelled task is 501 and unchanged, like a running one. A deleted task is unknown afterwards; its charge stays.',
    reason:
      'Upstream declares 400. The special DELETE declares 401, 403, 404 and 501; it uses 501 for a state that cannot be deleted.',
    source: documented('running and cancelled cannot be operated; 400 is the only fitting declared status.'),
    certainty: 'medium',
    statuses: [[/^c\.delete$/, /400/, /^(?!.*invalid task_id)/]],
  },
  'C-usage': {
    question: 'What does usage contain, and when?',
    answer:
      'A succeeded video has total, input and output seconds (input: the reference videos, rounded) and the number of input images. A succeeded prompt enhancement has tokens, about one for four letters plus 4800 for instructions and 800 for each file; in the special variant it has an empty object. Failed tasks have the same keys with 0; tasks in other states have no usage. Videos are charged by total seconds.',
    reason: 'Upstream’s samples; the conversion is not published.',
    source: documented('Samples of usage; the conversion to tokens is not published.'),
    certainty: 'medium',
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
  'C-task': {
    question: 'Which fields does a task have in each state?',
    answer:
      'error if it failed, content if it succeeded, resolution unless it is a prompt enhancement, duration (of a regeneration: that of its source), ratio (of a regeneration: empty).',
    reason: 'Upstream’s samples.',
    source: documented('Samples of tasks in their states.'),
    certainty: 'medium',
    claims: [[/^(?:c|special)\./, /^resolution$/, 'absent more']],
    completes: { 'c.reply': /^(?:task|items\[\])\.(?!.*(?:ratio$|usage))|^file/ },
  },
  'C-pixels': {
    question: 'How many pixels does a video have?',
    answer:
      '2K: 2560x1440, 2208x1656, 1920x1920, 2912x1248 and their upright forms. 768P: 1344x768, 1152x864, 992x992, 1536x672 and their upright forms.',
    reason:
      '16:9 was measured upstream. The other ratios have about its area, and 768P stays within the limits of a base video.',
    source: measured('2560x1440 and 1344x768 for 16:9; other shapes are not published.'),
    certainty: 'low',
    claims: [[/^c\.file$/, /^file\.(?:width|height)$/]],
  },
  'C-frames': {
    question: 'How long is a file?',
    answer:
      '24 fps. At 768P the number of frames is the nearest one that a base video may have: 4 s have 107 frames, 5 s 124, 10 s 243, 15 s 362. So every 768P result can be regenerated. At 2K it is exactly seconds times 24. A regeneration has as many frames as its source.',
    reason: 'Upstream makes base videos of 107 + 17 n frames.',
    source: documented('A base video has 107 to 362 frames in steps of 17.'),
    certainty: 'medium',
    claims: [[/^c\.file$/, /^file\.(?!width|height)/]],
  },
  'C-base-video': {
    question: 'Which videos can be base videos?',
    answer:
      'MP4 or MOV with a sound track, 24 fps, sides divisible by 32, at most 1344 × 768 pixels, 107 to 362 frames in steps of 17, all measured from the file. A video that is not fetched counts as compatible in the standard variant, and is 400 in the special one.',
    reason:
      'The upstream contract. For the special variant, the specification says that arbitrary video is not assumed compatible.',
    source: documented('Limits of the base video.'),
    certainty: 'high',
  },
  'C-regeneration': {
    question: 'Which other rules hold for regenerations?',
    answer:
      'source_task_id must be a succeeded generation of the same variant and account, at any resolution, at most 7 days old. A content has one base_video, at most one text of up to 40000 characters, and references or frames as in a create. duration and ratio are ignored. The output has as many frames as its source, the 2K size nearest to the source’s aspect, and the same pictures.',
    reason: 'The upstream contract. Accepting a content without a text is leniency.',
    source: documented('Fields of the regeneration.'),
    certainty: 'medium',
  },
  'C-enhanced': {
    question: 'What does an enhanced prompt look like?',
    answer:
      'Sections integrated_multimodal_description, overall_soundscape and non_diegetic_music; two to five shots with time codes below the duration. The shots contain every sentence of the given prompt. The other words are drawn from the seed.',
    reason: 'Upstream’s samples; what its model would write cannot be known.',
    source: documented('Samples of enhanced prompts.'),
    certainty: 'medium',
  },
  'C-errors': {
    question: 'Which error types are there besides bad_request_error?',
    answer:
      '401 authorized_error, 403 permission_error (not allowed, or moderated) and insufficient_balance_error, 404 not_found_error, 429 rate_limit_error, 501 not_implemented_error, 5xx server_error and overloaded_error; http_code is a string, and messages end with upstream’s internal number. error.code of a failed task is such a number as a string.',
    reason: 'Upstream’s names where it publishes them, else names of the same form.',
    source: documented('Error types, numbers and messages; those of the special variant are not published.'),
    certainty: 'medium',
    seen: both(family => [fields(`${family}.record`, { 'error.code': digits }, undefined, repeated)]),
    claims: [[/^c\.error$/, /^error\.(?:type|http_code)$/, 'value', /^(?!bad_request_error$)/]],
    completes: { 'c.error': /^(?:error|type$|request_id|header\.content-type)/ },
  },
  'C-run-times': {
    question: 'How long does a prompt enhancement take?',
    answer: 'Queued 0.5 to 1.5 s, then 3 to 8 s, drawn from the seed.',
    reason: 'A text takes less time than a video.',
    source: measured('One enhancement took 29 s, one 2K video 417 s.'),
    certainty: 'low',
  },
  'C-links': {
    question: 'How long do links live?',
    answer: '24 hours from success.',
    reason:
      'Upstream calls them limited in time without a figure; 24 hours is what the other upstreams of this gateway use.',
    source: guess('No figure is published; a new query may bring a new link upstream.'),
    certainty: 'low',
    claims: [[/^(?:c|special)\./, /^link\.life$/]],
  },
})
