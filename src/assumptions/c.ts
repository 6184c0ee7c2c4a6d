import type { Answer } from './assumption.ts'

/** Family C and C-special. */
export const familyC: readonly Answer[] = [
  {
    id: 'C-content',
    scope: 'c',
    question: 'What are the content items besides text and video, their roles and combinations?',
    answer:
      'image_url (first_frame, last_frame, reference_image), video_url (reference_video; base_video in regenerations), audio_url (reference_audio), each with {url} and the role beside; a lone image without a role is a first frame. Exactly one non-empty text of at most 7000 characters; with it a first frame, a last frame, both, or references: at most 9 images, 3 videos, 3 audios, 12 in all, audio not alone.',
    reason: 'The upstream contract.',
    source: {
      kind: 'upstream',
      evidence: 'documented',
      fact: 'Kinds, roles and combinations of content items.',
    },
    certainty: 'high',
  },
  {
    id: 'C-media',
    scope: 'c',
    question: 'What may input files be?',
    answer:
      'Images JPEG, PNG, WEBP, HEIC, HEIF to 30 MB, sides 256 to 5760, width / height 0.4 to 2.5. Videos MP4, MOV with H.264 or H.265 and AAC or MP3 to 50 MB, 2 to 15 s, in total 15 s, 23.976 to 60 fps. Audios WAV, MP3 to 15 MB, 2 to 15 s, in total 15 s. Lengths have 0.2 s of tolerance.',
    reason: 'The upstream contract.',
    source: { kind: 'upstream', evidence: 'documented', fact: 'Limits of input files.' },
    certainty: 'high',
  },
  {
    id: 'C-required',
    scope: 'c',
    question: 'Which fields of a create are required, and how long are standard videos?',
    answer:
      'model, content, resolution (768P or 2K, spelled so) and duration, 4 to 15 whole seconds; prompt enhancement the same without resolution.',
    reason: 'The upstream contract; the specification gives a range for the special variant only.',
    source: { kind: 'upstream', evidence: 'documented', fact: 'Required fields and the range of duration.' },
    certainty: 'high',
  },
  {
    id: 'C-ratio',
    scope: 'c',
    question: 'Which ratio does a task get?',
    answer:
      'Standard, and prompt enhancement in both variants: with text alone it must be sent and not be adaptive; with frames any listed value is ignored and the frame decides; with references the default is adaptive, which follows the first picture or video. Adaptive comes to the nearest of 21:9, 16:9, 4:3, 1:1, 3:4, 9:16. Special videos: must be sent in every mode, and is followed.',
    reason:
      'The upstream contract. The specification gives a ratio for standard videos without saying when it is needed; for the special variant it must be explicit, while its enhancement is “like standard”.',
    source: { kind: 'upstream', evidence: 'documented', fact: 'The rules of ratio in each mode.' },
    certainty: 'medium',
  },
  {
    id: 'C-callback',
    scope: 'c',
    question: 'What about callback_url with nothing in it?',
    answer: 'null and an empty string pass.',
    reason: 'Some clients spell unset options so; they ask for no callback.',
    source: {
      kind: 'upstream',
      evidence: 'documented',
      fact: 'Vendor examples carry callback_url as an empty string.',
    },
    certainty: 'medium',
  },
  {
    id: 'C-group',
    scope: 'c',
    question: 'Does an account’s group of resolutions hold here as well?',
    answer:
      'Yes: a group that does not list 768P or 2K may not use it, regenerations included; prompt enhancement has no resolution.',
    reason: 'Specification, “Errors” rule 1 speaks of all families.',
    source: {
      kind: 'specification',
      section: 'Errors',
      says: 'A resolution that the group does not allow is a 400.',
    },
    certainty: 'medium',
  },
  {
    id: 'C-ids',
    scope: 'c',
    question: 'What form do ids and times have?',
    answer: 'Ids are 15 digits, request ids 02, the Unix seconds and 20 hex digits, times Unix seconds.',
    reason: 'All published examples look so.',
    source: { kind: 'upstream', evidence: 'inferred', fact: 'Every published example has this form.' },
    certainty: 'medium',
  },
  {
    id: 'C-unknown-task',
    scope: 'c',
    question:
      'What does the standard variant answer for an id that does not exist, is older than 7 days, or belongs to somebody else or to the special variant?',
    answer:
      '400 bad_request_error “invalid task_id (2013)”; in the special variant 404 not_found_error. The same goes for source_task_id.',
    reason: 'Upstream declares no 404; the specification does for the special variant.',
    source: {
      kind: 'upstream',
      evidence: 'documented',
      fact: 'An id outside the window gives “invalid task_id”; 404 is not declared.',
    },
    certainty: 'medium',
  },
  {
    id: 'C-list',
    scope: 'c',
    question: 'What are the list’s limits, order and hidden filter?',
    answer:
      'page_size from 1; a page holds at most 500 items, and larger sizes page by 500. Newest first; filter.task_ids, repeated for several ids. filter.model finds what was sent at create. total counts all matches.',
    reason:
      'The filter’s name is upstream’s, and its filters match exactly. No largest page is published, so no size is refused.',
    source: {
      kind: 'upstream',
      evidence: 'documented',
      fact: 'The name of the filter; the largest page is not published.',
    },
    certainty: 'medium',
  },
  {
    id: 'C-delete',
    scope: 'c',
    question: 'What does DELETE answer where the state table is silent?',
    answer:
      'Standard: running and cancelled are 400 and unchanged. Special: queued and cancelled are 501 like running, and unchanged. A deleted task is then unknown, its charge stays.',
    reason:
      'Upstream declares 400; the special DELETE declares 401, 403, 404 and 501, and 501 is its word for a state that cannot be deleted.',
    source: {
      kind: 'upstream',
      evidence: 'documented',
      fact: 'running and cancelled cannot be operated; 400 is the only fitting declared status.',
    },
    certainty: 'medium',
  },
  {
    id: 'C-usage',
    scope: 'c',
    question: 'What does usage tell, and when?',
    answer:
      'On success: of videos total, input and output seconds (input = reference videos, rounded) and the number of input images; of prompt enhancements tokens, about one for four letters plus 4800 of instructions and 800 a file; in the special variant an empty object. Failed tasks tell the same keys with 0; other states no usage. Videos are charged by total seconds.',
    reason: 'Upstream’s samples; the conversion is not published.',
    source: {
      kind: 'upstream',
      evidence: 'documented',
      fact: 'Samples of usage; the conversion to tokens is not published.',
    },
    certainty: 'medium',
  },
  {
    id: 'C-task',
    scope: 'c',
    question: 'Which fields does a task have in each state?',
    answer:
      'error when failed, content when succeeded, resolution unless it is a prompt enhancement, duration (of a regeneration: its source’s), ratio (of a regeneration: empty).',
    reason: 'Upstream’s samples.',
    source: { kind: 'upstream', evidence: 'documented', fact: 'Samples of tasks in their states.' },
    certainty: 'medium',
  },
  {
    id: 'C-pixels',
    scope: 'c',
    question: 'How many pixels has a video?',
    answer:
      '2K: 2560x1440, 2208x1656, 1920x1920, 2912x1248 and their uprights; 768P: 1344x768, 1152x864, 992x992, 1536x672 and theirs.',
    reason:
      '16:9 was measured upstream. The others have about its area; 768P is within the limits of a base video.',
    source: {
      kind: 'upstream',
      evidence: 'measured',
      fact: '2560x1440 and 1344x768 for 16:9; other shapes are not published.',
    },
    certainty: 'low',
  },
  {
    id: 'C-frames',
    scope: 'c',
    question: 'How long is a file?',
    answer:
      '24 fps. At 768P the number of frames is the nearest that a base video may have, so that every 768P result can be regenerated: 4 s have 107 frames, 5 s 124, 10 s 243, 15 s 362. At 2K it is exactly seconds times 24. Regenerations keep the frames of their source.',
    reason: 'Upstream makes base videos of 107 + 17 n frames.',
    source: {
      kind: 'upstream',
      evidence: 'documented',
      fact: 'A base video has 107 to 362 frames in steps of 17.',
    },
    certainty: 'medium',
  },
  {
    id: 'C-base-video',
    scope: 'c',
    question: 'What must a base video be like?',
    answer:
      'MP4 or MOV with a sound track, 24 fps, sides divisible by 32, at most 1344 times 768 pixels, 107 to 362 frames in steps of 17, measured from the file. A video that is not fetched is taken as compatible in the standard variant, and is 400 in the special one.',
    reason:
      'The upstream contract; for the special variant the specification says that arbitrary video is not assumed compatible.',
    source: { kind: 'upstream', evidence: 'documented', fact: 'Limits of the base video.' },
    certainty: 'high',
  },
  {
    id: 'C-regeneration',
    scope: 'c',
    question: 'What else holds for regenerations?',
    answer:
      'source_task_id must be a succeeded generation of the same variant and account, at any resolution, not older than 7 days. A content has one base_video, a text of at most 40000 characters or none, and references or frames as in a create. duration and ratio are not read. The output has the frames of its source and the 2K size nearest to its aspect, and shows the same pictures.',
    reason: 'The upstream contract; that a text may be missing is leniency.',
    source: { kind: 'upstream', evidence: 'documented', fact: 'Fields of the regeneration.' },
    certainty: 'medium',
  },
  {
    id: 'C-enhanced',
    scope: 'c',
    question: 'What does an enhanced prompt look like?',
    answer:
      'Sections integrated_multimodal_description, overall_soundscape and non_diegetic_music; two to five shots with time codes below the duration, which hold every sentence of the given prompt. Drawn from the seed.',
    reason: 'Upstream’s samples; what its model would write cannot be known.',
    source: { kind: 'upstream', evidence: 'documented', fact: 'Samples of enhanced prompts.' },
    certainty: 'medium',
  },
  {
    id: 'C-errors',
    scope: 'c',
    question: 'Which error types are there beside bad_request_error?',
    answer:
      '401 authorized_error, 403 permission_error (not allowed, or moderated) and insufficient_balance_error, 404 not_found_error, 429 rate_limit_error, 501 not_implemented_error, 5xx server_error and overloaded_error; http_code is a string, and messages end with upstream’s internal number. error.code of a failed task is such a number as a string.',
    reason: 'Upstream’s names where it has them, names of their kind elsewhere.',
    source: {
      kind: 'upstream',
      evidence: 'documented',
      fact: 'Error types, numbers and messages; those of the special variant are not published.',
    },
    certainty: 'medium',
  },
  {
    id: 'C-run-times',
    scope: 'c',
    question: 'How long does a prompt enhancement take?',
    answer: 'Queued 0.5 to 1.5 s, then 3 to 8 s, drawn from the seed.',
    reason: 'Texts come sooner than videos.',
    source: {
      kind: 'upstream',
      evidence: 'measured',
      fact: 'One enhancement took 29 s, one 2K video 417 s.',
    },
    certainty: 'low',
  },
  {
    id: 'C-links',
    scope: 'c',
    question: 'How long do links live?',
    answer: '24 hours from success.',
    reason:
      'Upstream calls them limited in time without a figure; 24 hours is what the other upstreams of this gateway use.',
    source: { kind: 'guess', because: 'No figure is published; a new query may bring a new link upstream.' },
    certainty: 'low',
  },
]
