import { agrees, rising } from '../agreements.ts'
import { at } from '../json.ts'
import type { Agrees } from '../predicates.ts'
import { answersOf, documented, inferred, measured, specification } from './assumption.ts'

/** The id of a create's reply and of its request. */
const sentId: Agrees['read'] = (reply, { body }) => {
  const sent = at(body, 'external_task_id') ?? at(body, 'options', 'external_task_id')
  const told = at(reply, 'data', 'external_id')
  return typeof told === 'string' && typeof sent === 'string' && sent !== '' ? [told, sent] : undefined
}

/** Family K. */
export const familyK = answersOf('k', {
  'K-paths': {
    question: 'Which paths may have the optional /v1?',
    answer:
      'The paths of avatars (query and submission) and of presets. Every other path of the family with /v1 is a 404 with the usual hint.',
    reason: 'The specification states it for these paths and for no others.',
    source: specification('Versioning', 'A path of family K has no prefix or an optional /v1, where stated.'),
    certainty: 'high',
  },
  'K-empty': {
    question: 'What does an empty string mean?',
    answer:
      'For an optional value, the same as leaving it out. An optional contents item with "" as url or text counts as absent.',
    reason: 'Vendor examples send "" for options that are not set, also for callback_url.',
    source: documented('Vendor examples send "" for options that are not set.'),
    certainty: 'high',
  },
  'K-settings': {
    question: 'What are the allowed values of settings, and their defaults?',
    answer:
      'resolution 720p (default) or 1080p, on 3.0 also 4k; duration 3 to 15 whole seconds, default 5; audio native or off (default) on 3.0, while turbo always has sound and ignores the key; multi_shot is accepted. The account’s group limits resolution as in family A.',
    reason: 'Upstream’s published values.',
    source: documented('Values and defaults of settings for both models.'),
    certainty: 'high',
    claims: [[/^k\.file$/, /^file\.audio$/]],
    statuses: [[/^k\.(?!tasks)/, /400/, /settings/]],
  },
  'K-prompt': {
    question: 'Where in the request is the prompt, and how long may it be?',
    answer:
      'At the top level (the specification) or as a contents item {type: "prompt", text} (upstream). If both are sent, the top level counts and the item is listed as unread. The prompt is optional and has at most 2500 characters on turbo, 3072 on 3.0.',
    reason: 'Clients written for upstream send the item.',
    source: documented('The prompt is an item of contents upstream; its lengths are published.'),
    certainty: 'high',
    statuses: [[/^k\.(?!tasks)/, /400/, /^prompt/]],
  },
  'K-contents': {
    question: 'Which contents items are there, and which files are allowed?',
    answer:
      'first_frame (required) and last_frame, one of each; on 3.0 also up to 3 element items with a known element_id. Pictures: JPEG or PNG, at most 50 MB, sides from 300 px, 1:2.5 to 2.5:1; a link, asset://, a data URI or plain base64.',
    reason: 'The upstream contract; the specification shows only frames.',
    source: documented('Kinds of contents items and limits of pictures.'),
    certainty: 'high',
    statuses: [[/^k\.(?!tasks)/, /400/, /contents/]],
  },
  'K-last-frame': {
    question: 'May turbo have a last_frame?',
    answer: 'Yes.',
    reason: 'The specification lists it for both models, although upstream refuses it on turbo.',
    source: specification('Endpoints', 'last_frame is listed for both models.'),
    certainty: 'high',
  },
  'K-external-id': {
    question: 'Where does external_id come from, and what does its second use give?',
    answer:
      'From external_task_id at the top level or in options. An id can be used for one task of the account, of any kind and with any outcome; a second use is 400 with code 1201. external_id is absent when none was sent. A batch query is split at commas, so it cannot ask for an id that contains one.',
    reason: 'Upstream refuses repeats, so the id protects against paying twice.',
    source: measured('A repeated external id is refused with code 1201.'),
    certainty: 'high',
    seen: { k: [agrees('k.create', 'data.external_id', sentId)] },
    claims: [[/^k\.(?:create|omni|motion|tasks)/, /^data\.external_id$/]],
    statuses: [[/^k\.(?!tasks)/, /400/, /external_task_id/]],
  },
  'K-ids': {
    question: 'Which form do ids and times have?',
    answer:
      'Ids are decimal numbers of 18 digits that contain their creation time: (ms − 1568028518784) × 2^22 plus random bits. From April 2027 they have 19 digits. Times are epoch milliseconds.',
    reason: 'Published ids of upstream decode to their creation times.',
    source: inferred('Eleven published ids decode to moments; four of these are confirmed.'),
    certainty: 'medium',
    seen: {
      k: [
        rising('k.record', 'create_time', 'update_time'),
        rising('k.slow-record', 'created_at', 'updated_at'),
      ],
    },
    claims: [[/^k\./, /^data\.(?:id|task_id|create_time|update_time|created_at|updated_at)$/, 'format']],
  },
  'K-batch': {
    question: 'How does GET /tasks treat many, unknown and repeated ids?',
    answer:
      'It takes at most 20 ids (21 are 400). data has each task once, in the order of the ids, without unknown tasks, tasks of other accounts, and avatar, voice and preset tasks. A request with neither parameter is 400.',
    reason: 'Seen upstream. The specification says that avatars are not queried there.',
    source: measured('21 ids are refused, unknown ids are missing from data.'),
    certainty: 'high',
    claims: [
      [/^k\.tasks/, /^data$/, 'absent more null count order'],
      [/^k\.tasks/, /^data\.id$/, 'value'],
    ],
    statuses: [[/^k\.tasks/, /4../]],
  },
  'K-outputs': {
    question: 'Which fields does a batch item have besides the listed ones?',
    answer:
      'outputs is [] before success. An output also has type "video", and with watermark_info.enabled a watermark_url: url is the clean file, watermark_url the marked one. A failed item has message.',
    reason: 'Upstream’s shape; no other field has the reason of a failure.',
    source: measured('Samples and recorded replies.'),
    certainty: 'high',
    claims: [
      [/^k\.tasks/, /^data\.(?:outputs|outputs\.type|outputs\.watermark_url|message)$/],
      [/^k\.file$/, /^file\.type$/],
    ],
    completes: { 'k.reply': /^data/ },
  },
  'K-duration': {
    question: 'How long is a file?',
    answer:
      '24 fps and 24 × seconds + 1 frames. duration is that length, truncated to the millisecond: 5 s give "5.041". An avatar is as long as its audio, a motion-control video as its input video.',
    reason: 'Measured upstream.',
    source: measured('3 s give 3.041 and 5 s give 5.041.'),
    certainty: 'high',
    claims: [
      [/^k\.tasks/, /^data\.outputs\.duration$/, 'value'],
      [/^k\.file$/, /^file\.(?:seconds|fps)$/],
    ],
    completes: { 'k.reply': /^file/ },
  },
  'K-size': {
    question: 'How many pixels does a video have?',
    answer:
      'About as many as 1280x720, 1920x1080 or 3840x2160, with even sides, in the shape of the first frame (without one, of the video; without both, aspect_ratio).',
    reason: 'Upstream names only the class.',
    source: documented('Only the class of the resolution is named.'),
    certainty: 'low',
    claims: [[/^k\.file$/, /^file\.(?:width|height)$/]],
  },
  'K-states': {
    question: 'Are there cancelled or expired tasks?',
    answer: 'No. A task that a scenario cancels or lets expire fails instead (A-expire).',
    reason: 'Specification, "States and transitions".',
    source: specification(
      'States and transitions',
      'The table of states has no cancelled and no expired tasks for this family.',
    ),
    certainty: 'high',
  },
  'K-not-found': {
    question: 'What does a query of an unknown avatar or voice task give?',
    answer:
      '400 with code 1201, "Task not found by id/external id: …". A task of another kind or account gives the same. The path may hold an external id too.',
    reason: 'Seen upstream; the specification declares one error response without a status.',
    source: measured('400 with code 1201 was seen for an unknown id.'),
    certainty: 'high',
    statuses: [[/^k\.(?:avatar|voice)\.get$/, /4../]],
  },
  'K-avatar': {
    question: 'How is an avatar submitted?',
    answer:
      'POST /videos/avatar/image2video: image (JPEG or PNG, at most 10 MB), exactly one of audio_id (a voice_id of the account) and sound_file (MP3, WAV, M4A, AAC; 2 to 300 s, at most 5 MB), prompt, mode std (720p, default) or pro (1080p). With a voice, the length is 3 to 8 s, drawn from the seed.',
    reason:
      'Upstream’s published shape. The gateway has no speech synthesis, so a voice_id is the only audio_id.',
    source: documented('The published form of the submission.'),
    certainty: 'high',
    claims: [[/^k\.avatar\.create$/, /^data\./]],
    statuses: [[/^k\.avatar\.create$/, /200/]],
  },
  'K-voice': {
    question: 'How is a voice cloned?',
    answer:
      'POST /general/custom-voices: voice_name (at most 20 characters), exactly one of voice_url (a link to MP3, WAV, MP4, MOV of 5 to 30 s with sound) and video_id (the id of an output with sound). trial_url is a WAV of 3 to 6 s. owned_by is a number that belongs to the account.',
    reason: 'Upstream’s published shape.',
    source: documented('The published form of the submission.'),
    certainty: 'high',
    claims: [[/^k\.voice\.create$/, /^data\./]],
    statuses: [[/^k\.voice\.create$/, /200/]],
  },
  'K-presets': {
    question: 'How is the preset list paged, and what is in it?',
    answer:
      'pageNum 1 to 1000 (default 1), pageSize 1 to 500 (default 30), no total; the subjects of fixtures/presets.json, then those that the control API made for the account. task_status is succeed. task_id is a token signed with the world’s seed; the id inside contains the time of created_at. element_id is a number; requests may send it as a string.',
    reason: 'The upstream contract; the subjects are invented.',
    source: documented('Paging and items of the list.'),
    certainty: 'medium',
  },
  'K-beyond': {
    question: 'What do omni and motion-control submissions look like?',
    answer:
      'POST /omni-video/{model} (kling-3.0-omni, model_k_30_omni or model_k_30) and POST /motion-control/{model} (model_k_30), with contents and settings as upstream publishes them. GET /tasks finds their tasks. Omni needs aspect_ratio when it has neither a frame nor a video; it takes up to 7 pictures, 7 elements and one video of 3 to 10 s. Motion control needs character_orientation, an image, and a video of 3 to 10 s (orientation image) or 3 to 30 s (orientation video).',
    reason: 'Upstream’s published shapes; some counts are its older ones.',
    source: documented('The published forms of both submissions.'),
    certainty: 'medium',
    statuses: [[/^k\.(?:omni|motion)\.create$/, /200/]],
  },
  'K-errors': {
    question: 'Which values do error.code, error.type and the status have?',
    answer:
      'Upstream’s numbers as strings with its statuses (1201 parameters, 1200 not JSON, 1002 key, 1103 model, 1301 moderation, 1102 balance, 1302 rate, 5000 and 5001); moderation and balance are 403 as everywhere here. type is invalid_request_error, authentication_error, permission_error, content_policy_error, insufficient_quota, rate_limit_error or server_error.',
    reason: 'The body has the shape of gateways of this kind; the numbers are upstream’s.',
    source: documented('The table of error numbers; type is that of gateways with this body.'),
    certainty: 'medium',
    claims: [[/^k\.error$/, /^error\.(?:code|type)$/, 'value']],
    completes: { 'k.error': /^error|^header\.content-type$/ },
  },
  'K-links': {
    question: 'How long do links live?',
    answer: '30 days.',
    reason: 'Upstream clears the addresses of its outputs after 30 days.',
    source: documented('Addresses of outputs are cleared after 30 days.'),
    certainty: 'high',
    claims: [[/^k\./, /^link\.life$/]],
  },
})
