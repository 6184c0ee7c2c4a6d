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
  'K-paths': [
    'Which paths may have the optional /v1?',
    'The paths of avatars (query and submission) and of presets. Every other path of the family with /v1 is a 404 with the usual hint.',
    'The specification states it for these paths and for no others.',
    specification('high', 'Versioning', 'A path of family K has no prefix or an optional /v1, where stated.'),
  ],
  'K-empty': [
    'What does an empty string mean?',
    'For an optional value, the same as leaving it out. An optional contents item with "" as url or text counts as absent.',
    'Vendor examples send "" for options that are not set, also for callback_url.',
    documented('high', 'Vendor examples send "" for options that are not set.'),
  ],
  'K-settings': [
    'What are the allowed values of settings, and their defaults?',
    'resolution 720p (default) or 1080p, on 3.0 also 4k; duration 3 to 15 whole seconds, default 5; audio native or off (default) on 3.0, while turbo always has sound and ignores the key; multi_shot is accepted. The account’s group limits resolution as in family A.',
    'Upstream’s published values.',
    documented('high', 'Values and defaults of settings for both models.'),
    { claims: [[/^k\.file$/, /^file\.audio$/]], statuses: [[/^k\.(?!tasks)/, /400/, /settings/]] },
  ],
  'K-prompt': [
    'Where in the request is the prompt, and how long may it be?',
    'At the top level (the specification) or as a contents item {type: "prompt", text} (upstream). If both are sent, the top level counts and the item is listed as unread. The prompt is optional and has at most 2500 characters on turbo, 3072 on 3.0.',
    'Clients written for upstream send the item.',
    documented('high', 'The prompt is an item of contents upstream; its lengths are published.'),
    { statuses: [[/^k\.(?!tasks)/, /400/, /^prompt/]] },
  ],
  'K-contents': [
    'Which contents items are there, and which files are allowed?',
    'first_frame (required) and last_frame, one of each; on 3.0 also up to 3 element items with a known element_id. Pictures: JPEG or PNG, at most 50 MB, sides from 300 px, 1:2.5 to 2.5:1; a link, asset://, a data URI or plain base64.',
    'The upstream contract; the specification shows only frames.',
    documented('high', 'Kinds of contents items and limits of pictures.'),
    { statuses: [[/^k\.(?!tasks)/, /400/, /contents/]] },
  ],
  'K-last-frame': [
    'May turbo have a last_frame?',
    'Yes.',
    'The specification lists it for both models, although upstream refuses it on turbo.',
    specification('high', 'Endpoints', 'last_frame is listed for both models.'),
  ],
  'K-external-id': [
    'Where does external_id come from, and what does its second use give?',
    'From external_task_id at the top level or in options. An id can be used for one task of the account, of any kind and with any outcome; a second use is 400 with code 1201. external_id is absent when none was sent. A batch query is split at commas, so it cannot ask for an id that contains one.',
    'Upstream refuses repeats, so the id protects against paying twice.',
    measured('high', 'A repeated external id is refused with code 1201.'),
    {
      seen: { k: [agrees('k.create', 'data.external_id', sentId)] },
      claims: [[/^k\.(?:create|omni|motion|tasks)/, /^data\.external_id$/]],
      statuses: [[/^k\.(?!tasks)/, /400/, /external_task_id/]],
    },
  ],
  'K-ids': [
    'Which form do ids and times have?',
    'Ids are decimal numbers of 18 digits that contain their creation time: (ms − 1568028518784) × 2^22 plus random bits. From April 2027 they have 19 digits. Times are epoch milliseconds.',
    'Published ids of upstream decode to their creation times.',
    inferred('medium', 'Eleven published ids decode to moments; four of these are confirmed.'),
    {
      seen: {
        k: [
          rising('k.record', 'create_time', 'update_time'),
          rising('k.slow-record', 'created_at', 'updated_at'),
        ],
      },
      claims: [[/^k\./, /^data\.(?:id|task_id|create_time|update_time|created_at|updated_at)$/, 'format']],
    },
  ],
  'K-batch': [
    'How does GET /tasks treat many, unknown and repeated ids?',
    'It takes at most 20 ids (21 are 400). data has each task once, in the order of the ids, without unknown tasks, tasks of other accounts, and avatar, voice and preset tasks. A request with neither parameter is 400.',
    'Seen upstream. The specification says that avatars are not queried there.',
    measured('high', '21 ids are refused, unknown ids are missing from data.'),
    {
      claims: [
        [/^k\.tasks/, /^data$/, 'absent more null count order'],
        [/^k\.tasks/, /^data\.id$/, 'value'],
      ],
      statuses: [[/^k\.tasks/, /4../]],
    },
  ],
  'K-outputs': [
    'Which fields does a batch item have besides the listed ones?',
    'outputs is [] before success. An output also has type "video", and with watermark_info.enabled a watermark_url: url is the clean file, watermark_url the marked one. A failed item has message.',
    'Upstream’s shape; no other field has the reason of a failure.',
    measured('high', 'Samples and recorded replies.'),
    {
      claims: [
        [/^k\.tasks/, /^data\.(?:outputs|outputs\.type|outputs\.watermark_url|message)$/],
        [/^k\.file$/, /^file\.type$/],
      ],
      completes: { 'k.reply': /^data/ },
    },
  ],
  'K-duration': [
    'How long is a file?',
    '24 fps and 24 × seconds + 1 frames. duration is that length, truncated to the millisecond: 5 s give "5.041". An avatar is as long as its audio, a motion-control video as its input video.',
    'Measured upstream.',
    measured('high', '3 s give 3.041 and 5 s give 5.041.'),
    {
      claims: [
        [/^k\.tasks/, /^data\.outputs\.duration$/, 'value'],
        [/^k\.file$/, /^file\.(?:seconds|fps)$/],
      ],
      completes: { 'k.reply': /^file/ },
    },
  ],
  'K-size': [
    'How many pixels does a video have?',
    'About as many as 1280x720, 1920x1080 or 3840x2160, with even sides, in the shape of the first frame (without one, of the video; without both, aspect_ratio).',
    'Upstream names only the class.',
    documented('low', 'Only the class of the resolution is named.'),
    { claims: [[/^k\.file$/, /^file\.(?:width|height)$/]] },
  ],
  'K-states': [
    'Are there cancelled or expired tasks?',
    'No. A task that a scenario cancels or lets expire fails instead (A-expire).',
    'Specification, "States and transitions".',
    specification(
      'high',
      'States and transitions',
      'The table of states has no cancelled and no expired tasks for this family.',
    ),
  ],
  'K-not-found': [
    'What does a query of an unknown avatar or voice task give?',
    '400 with code 1201, "Task not found by id/external id: …". A task of another kind or account gives the same. The path may hold an external id too.',
    'Seen upstream; the specification declares one error response without a status.',
    measured('high', '400 with code 1201 was seen for an unknown id.'),
    { statuses: [[/^k\.(?:avatar|voice)\.get$/, /4../]] },
  ],
  'K-avatar': [
    'How is an avatar submitted?',
    'POST /videos/avatar/image2video: image (JPEG or PNG, at most 10 MB), exactly one of audio_id (a voice_id of the account) and sound_file (MP3, WAV, M4A, AAC; 2 to 300 s, at most 5 MB), prompt, mode std (720p, default) or pro (1080p). With a voice, the length is 3 to 8 s, drawn from the seed.',
    'Upstream’s published shape. The gateway has no speech synthesis, so a voice_id is the only audio_id.',
    documented('high', 'The published form of the submission.'),
    { claims: [[/^k\.avatar\.create$/, /^data\./]], statuses: [[/^k\.avatar\.create$/, /200/]] },
  ],
  'K-voice': [
    'How is a voice cloned?',
    'POST /general/custom-voices: voice_name (at most 20 characters), exactly one of voice_url (a link to MP3, WAV, MP4, MOV of 5 to 30 s with sound) and video_id (the id of an output with sound). trial_url is a WAV of 3 to 6 s. owned_by is a number that belongs to the account.',
    'Upstream’s published shape.',
    documented('high', 'The published form of the submission.'),
    { claims: [[/^k\.voice\.create$/, /^data\./]], statuses: [[/^k\.voice\.create$/, /200/]] },
  ],
  'K-presets': [
    'How is the preset list paged, and what is in it?',
    'pageNum 1 to 1000 (default 1), pageSize 1 to 500 (default 30), no total; the subjects of fixtures/presets.json, then those that the control API made for the account. task_status is succeed. task_id is a token signed with the world’s seed; the id inside contains the time of created_at. element_id is a number; requests may send it as a string.',
    'The upstream contract; the subjects are invented.',
    documented('medium', 'Paging and items of the list.'),
  ],
  'K-beyond': [
    'What do omni and motion-control submissions look like?',
    'POST /omni-video/{model} (kling-3.0-omni, model_k_30_omni or model_k_30) and POST /motion-control/{model} (model_k_30), with contents and settings as upstream publishes them. GET /tasks finds their tasks. Omni needs aspect_ratio when it has neither a frame nor a video; it takes up to 7 pictures, 7 elements and one video of 3 to 10 s. Motion control needs character_orientation, an image, and a video of 3 to 10 s (orientation image) or 3 to 30 s (orientation video).',
    'Upstream’s published shapes; some counts are its older ones.',
    documented('medium', 'The published forms of both submissions.'),
    { statuses: [[/^k\.(?:omni|motion)\.create$/, /200/]] },
  ],
  'K-errors': [
    'Which values do error.code, error.type and the status have?',
    'Upstream’s numbers as strings with its statuses (1201 parameters, 1200 not JSON, 1002 key, 1103 model, 1301 moderation, 1102 balance, 1302 rate, 5000 and 5001); moderation and balance are 403 as everywhere here. type is invalid_request_error, authentication_error, permission_error, content_policy_error, insufficient_quota, rate_limit_error or server_error.',
    'The body has the shape of gateways of this kind; the numbers are upstream’s.',
    documented('medium', 'The table of error numbers; type is that of gateways with this body.'),
    {
      claims: [[/^k\.error$/, /^error\.(?:code|type)$/, 'value']],
      completes: { 'k.error': /^error|^header\.content-type$/ },
    },
  ],
  'K-links': [
    'How long do links live?',
    '30 days.',
    'Upstream clears the addresses of its outputs after 30 days.',
    documented('high', 'Addresses of outputs are cleared after 30 days.'),
    { claims: [[/^k\./, /^link\.life$/]] },
  ],
})
