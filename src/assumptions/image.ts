import type { Answer } from './assumption.ts'

/** The image operation. */
export const imageOperation: readonly Answer[] = [
  {
    id: 'I-defaults',
    scope: 'image',
    question: 'What are the defaults of the image fields whose defaults are not shown?',
    answer:
      'size 2K (in layer mode auto), output_format jpeg, response_format url, background opaque, optimize_prompt_options.mode standard (fast is the other value; thinking may be auto, enabled or disabled), watermark false.',
    reason: 'Upstream’s defaults, except watermark: false as for video.',
    source: {
      kind: 'upstream',
      evidence: 'documented',
      fact: 'Defaults of the image request; watermark is true upstream.',
    },
    certainty: 'medium',
  },
  {
    id: 'I-images',
    scope: 'image',
    question: 'Which references does image take, and how many?',
    answer:
      'A string or a list of 1 to 10 strings: http(s) URLs, data URIs and asset:// references alike; an empty list is 400. The label of a data URI must name the format that its bytes have; jpg is jpeg, tif is tiff, and application/octet-stream names none. HEVC-coded HEIC is measured and accepted, and a card stands for it in the picture.',
    reason:
      'The specification sends certified faces through asset:// in all generation requests, although upstream’s image operation refuses such references.',
    source: {
      kind: 'specification',
      section: 'What the service does',
      says: 'A certified face is referenced with asset:// in generation requests.',
    },
    certainty: 'medium',
  },
  {
    id: 'I-nothing',
    scope: 'image',
    question: 'What about unsupported fields whose value asks for nothing?',
    answer:
      'n: 1, stream: false, tools: [] and sequential_image_generation: "disabled" (then its options too) pass; every other value is 400 and names the field. callback_url is 400.',
    reason:
      'Clients send these values as their defaults; refusing them would refuse requests that ask for nothing unsupported.',
    source: { kind: 'upstream', evidence: 'client', fact: 'Clients send these values as defaults.' },
    certainty: 'medium',
  },
  {
    id: 'I-ratio',
    scope: 'image',
    question: 'Which ratio has a picture when only a tier is given?',
    answer:
      'One that the prompt names (16:9, portrait, 竖版, …), else the one nearest to the first input, else 3:2.',
    reason: 'Upstream picks it from the prompt; 3:2 was measured.',
    source: { kind: 'upstream', evidence: 'measured', fact: 'A tier alone gave 3:2; the prompt decides.' },
    certainty: 'medium',
  },
  {
    id: 'I-size',
    scope: 'image',
    question: 'What does size auto mean, and what may size be in layer mode?',
    answer:
      'In layer mode a tier or auto: the base keeps the proportions of the source, with sides that are multiples of 16 and about the tier’s pixels; auto keeps the source’s own size as far as explicit sizes may go. WxH is 400 there. In normal mode auto means 2K.',
    reason:
      'The specification names auto in the usage of layer mode and does not refuse it elsewhere, so in normal mode it asks for nothing. The sizes are from the upstream’s documentation and one measured sample.',
    source: {
      kind: 'upstream',
      evidence: 'measured',
      fact: 'One measured decomposition, and the published list of sizes.',
    },
    certainty: 'medium',
  },
  {
    id: 'I-transparent',
    scope: 'image',
    question: 'Which input does a transparent background need?',
    answer: 'Any one picture that an edit takes, of every listed format; layer mode is no edit and is 400.',
    reason: 'The specification asks for exactly one input image and output_format png, and for no more.',
    source: { kind: 'upstream', evidence: 'measured', fact: 'Refusals and their messages.' },
    certainty: 'medium',
  },
  {
    id: 'I-places',
    scope: 'image',
    question: 'What is the exact form of points and boxes in prompts?',
    answer:
      'Whole numbers 0 to 999 with blanks between them; anything else between the tags, and a tag without its counterpart, is 400. They point into the picture that is named before them (图2, image 2), else into the first.',
    reason: 'The specification gives the range, upstream’s samples the form.',
    source: {
      kind: 'specification',
      section: 'Image: request and response',
      says: 'Coordinates are 0 to 999; the form of the tags is not shown.',
    },
    certainty: 'high',
  },
  {
    id: 'I-layers',
    scope: 'image',
    question: 'What do the items of a decomposition look like?',
    answer:
      'The base is first, with z_index 0 and no bounding_box, name or description; layers follow in z order and are always PNG, of the size of their box. absolute is [left, top, right, bottom] in pixels of the base, normalized the same in 0 to 1000. Names are in the language of the prompt, Chinese without one. A picture in which nothing stands out has no layers.',
    reason: 'Upstream’s documentation and one measured sample.',
    source: {
      kind: 'upstream',
      evidence: 'measured',
      fact: 'One measured decomposition, and the documentation.',
    },
    certainty: 'high',
  },
  {
    id: 'I-usage',
    scope: 'image',
    question: 'How is usage counted?',
    answer:
      'input_images is the number of references, generated_images the number of items; output_tokens = total_tokens = the pixels of all items together / 256, rounded.',
    reason: 'Measured upstream.',
    source: { kind: 'upstream', evidence: 'measured', fact: '2048 x 2048 pixels gave 16384 tokens.' },
    certainty: 'high',
  },
  {
    id: 'I-outcome',
    scope: 'image',
    question: 'What becomes of scenario outcomes in a synchronous call?',
    answer:
      'queue and run times are left out, and every outcome but succeeded is a failure: the reply has the failure’s code and message, with 403 for content moderation codes, the code’s own status where the table of errors lists it, else 500. The task is kept as failed and refunded.',
    reason: 'The specification says that 5XX codes follow the real cause.',
    source: {
      kind: 'specification',
      section: 'Errors',
      says: '5XX codes and messages follow the real cause.',
    },
    certainty: 'medium',
  },
  {
    id: 'I-rate',
    scope: 'image',
    question: 'Where does an image request wait for its rate-limit slot?',
    answer:
      'In realtime mode the reply waits, up to 60 s of virtual time; in manual and auto mode it is 429 RateLimitExceeded at once, with Retry-After.',
    reason: 'The gateway queues; but where time stands still a waiting caller would wait for ever.',
    source: { kind: 'specification', section: 'Limits', says: 'The gateway queues requests.' },
    certainty: 'medium',
  },
  {
    id: 'I-codes',
    scope: 'image',
    question: 'Which codes have the image errors that are declared without one?',
    answer:
      '403 AccessDenied (model), InputImageSensitiveContentDetected.PrivacyInformation (real face), InputTextSensitiveContentDetected (moderation by scenario), AccountOverdueError (balance); 413 RequestTooLarge; 500 InternalServiceError; 503 ServiceUnavailable.',
    reason: 'The upstream contract of the same provider.',
    source: {
      kind: 'upstream',
      evidence: 'documented',
      fact: 'Codes of the same provider’s other operations.',
    },
    certainty: 'medium',
  },
]
