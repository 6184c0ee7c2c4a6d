import type { Answer } from './assumption.ts'

/** Family A. */
export const familyA: readonly Answer[] = [
  {
    id: 'A-prompt-flags',
    scope: 'a',
    question: 'What do flags at the end of a prompt do, such as --rt 16:9 --dur 5?',
    answer: 'Nothing: they are words of the prompt, and the story tells so. The fields of the body count.',
    reason:
      'They are a legacy form of upstream, weakly checked there; the specification names the fields alone.',
    source: {
      kind: 'upstream',
      evidence: 'documented',
      fact: 'Flags at the end of a prompt are an old form; the fields of the body are the recommended one.',
    },
    certainty: 'low',
  },
  {
    id: 'A-cancelled-records',
    scope: 'a',
    question: 'How long can a cancelled task be queried?',
    answer: '7 days, as any other.',
    reason:
      'Upstream takes such records away after 24 hours; the specification gives one window for all tasks of its families.',
    source: {
      kind: 'upstream',
      evidence: 'documented',
      fact: 'Cancelled records are removed after 24 hours; tasks can be queried for 7 days.',
    },
    certainty: 'low',
  },
  {
    id: 'A-content',
    scope: 'a',
    question: 'What are the fields of content items, and which combinations are legal?',
    answer:
      'text; image_url, video_url, audio_url with {url} and a role beside. Text; one first frame; first and last frame; or any mix of references (2.0: 9 images, 3 videos, 3 audios, audio not alone; 2.5: 30, 10, 10). One image without a role is a first frame.',
    reason: 'The upstream contract.',
    source: {
      kind: 'upstream',
      evidence: 'documented',
      fact: 'Kinds, roles, combinations and counts of content items.',
    },
    certainty: 'high',
  },
  {
    id: 'A-flags',
    scope: 'a',
    question: 'How are the last-frame flag and the expiry field named?',
    answer: 'return_last_frame, and execution_expires_after with 172800 as default.',
    reason: 'The upstream contract.',
    source: { kind: 'upstream', evidence: 'documented', fact: 'Names and defaults of both fields.' },
    certainty: 'high',
  },
  {
    id: 'A-forbidden',
    scope: 'a',
    question: 'Which other upstream fields are refused?',
    answer:
      'frames, camera_fixed: true, draft: true, draft_task items, and any service_tier but default are 400. priority 0..9, safety_identifier and tools are accepted.',
    reason: 'They belong to other models; the rest is sent by official samples.',
    source: {
      kind: 'upstream',
      evidence: 'documented',
      fact: 'These fields belong to 1.x models, or are refused by 2.0 and 2.5.',
    },
    certainty: 'medium',
  },
  {
    id: 'A-defaults',
    scope: 'a',
    question: 'What are the defaults of resolution and, on 2.0, of duration?',
    answer: '720p, and 5 seconds. -1 picks a length from the seed.',
    reason: 'The upstream contract.',
    source: { kind: 'upstream', evidence: 'documented', fact: 'Defaults of resolution and duration.' },
    certainty: 'high',
  },
  {
    id: 'A-task-type',
    scope: 'a',
    question: 'How is the task type of 2.5 told with auto, and when are its rules checked?',
    answer:
      'From the words of the prompt when there is a reference video; at create: 400 InvalidParameter.TaskTypeConstraint. An edit needs one reference video of 4 to 30 s, and the first of that length is edited; further videos may be shorter.',
    reason:
      'The specification says the caller must send conforming values; both moments were seen upstream. It also says “a reference video of 4 to 30 seconds”: one, not every.',
    source: {
      kind: 'upstream',
      evidence: 'measured',
      fact: 'The refusal was seen at create and as a failed task; words of the prompt decide.',
    },
    certainty: 'medium',
  },
  {
    id: 'A-times',
    scope: 'a',
    question: 'What unit do timestamps have, and which form the id?',
    answer: 'Unix seconds; cgt-YYYYMMDDHHMMSS-xxxxx with the time in UTC+8.',
    reason: 'The upstream contract.',
    source: { kind: 'upstream', evidence: 'measured', fact: 'Ids and moments of real tasks.' },
    certainty: 'high',
  },
  {
    id: 'A-list',
    scope: 'a',
    question: 'What are the list’s parameters and shape?',
    answer:
      'page_num and page_size from 1 to 500 (default 1 and 20; outside is 400), filter.status, repeated filter.task_ids, filter.model (exactly what was sent at create), filter.service_tier (all tasks are default); {items, total}, newest first. List and query reach 7 days back.',
    reason: 'The upstream contract.',
    source: {
      kind: 'upstream',
      evidence: 'documented',
      fact: 'Parameters of the list and its reply; what a value out of range gives is not known.',
    },
    certainty: 'medium',
  },
  {
    id: 'A-delete',
    scope: 'a',
    question: 'What does DELETE answer in each state?',
    answer:
      'Queued: cancelled. Running and cancelled: 409. Succeeded, failed, expired: the record is removed, later 404. Success is 200 {}.',
    reason: 'The upstream contract; {} is the only reply that all official clients can read.',
    source: {
      kind: 'upstream',
      evidence: 'documented',
      fact: 'What DELETE does in each state; 409 was seen for a running task.',
    },
    certainty: 'medium',
  },
  {
    id: 'A-cancel',
    scope: 'a',
    question: 'What becomes of a task that a scenario cancels?',
    answer:
      'It is cancelled at the moment when it would have started, and never runs; forcing a running one to cancelled is 409.',
    reason: 'The specification’s table of states knows cancelled from queued alone.',
    source: {
      kind: 'specification',
      section: 'States and transitions',
      says: 'cancelled is reached from queued alone.',
    },
    certainty: 'high',
  },
  {
    id: 'A-usage',
    scope: 'a',
    question: 'How are tokens counted?',
    answer:
      'floor(width × height × frames / 1024), frames = 24 × (input video seconds + output seconds) + 1, without the extra frame for extensions. The output seconds of an edit are those of its file.',
    reason: 'Measured upstream.',
    source: {
      kind: 'upstream',
      evidence: 'measured',
      fact: 'The formula gives every measured count to the token.',
    },
    certainty: 'high',
  },
  {
    id: 'A-codec',
    scope: 'a',
    question: 'Which codecs do files have?',
    answer:
      'H.264 8-bit and mono AAC, which play in every browser, in mov files too. codecs: upstream in the config gives HEVC where upstream does; the 4:4:4 video and PCM sound of its mov files are not made yet.',
    reason:
      'Usefulness for people building a page. An explicit mov keeps the upstream’s native product by the specification, which browsers cannot play.',
    source: {
      kind: 'upstream',
      evidence: 'documented',
      fact: '2.0 at 4k and 2.5 at 1080p are 10-bit H.265, everything else is 8-bit H.264.',
    },
    certainty: 'high',
  },
  {
    id: 'A-frames',
    scope: 'a',
    question: 'How many frames does a file have?',
    answer:
      '24 for each second and one more; an extension has 24 for each second; an edit as many as its input lasts, and duration is that rounded down.',
    reason:
      'The token counts measured upstream hold one frame more than the seconds; an extension of 5 s was measured at 120 frames. An edit keeps the length of its input.',
    source: {
      kind: 'upstream',
      evidence: 'measured',
      fact: '121 frames for 5 s, 120 for an extension of 5 s.',
    },
    certainty: 'high',
  },
  {
    id: 'A-adaptive',
    scope: 'a',
    question:
      'What do ratio and file of 2.0 say when an adaptive first frame has another shape than the listed ones?',
    answer:
      'Both have the listed ratio that is nearest; the picture is cropped to it. On 2.5 both follow the picture.',
    reason: 'On 2.0 only listed ratios are told, and record and file agree.',
    source: {
      kind: 'upstream',
      evidence: 'measured',
      fact: 'Only 2.5 was seen to tell ratios outside the list.',
    },
    certainty: 'medium',
  },
]
