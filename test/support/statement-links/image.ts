/** The image operation, by the end of each id. */
export const imageOperation = {
  'request.model': 'images-request > refuses %s and charges nothing',
  'request.prompt': 'images-request > refuses %s and charges nothing',
  'request.places': [
    'images-request > accepts 0 and 999',
    'images-request > refuses %s (Spec, "Limits"; I-places)',
  ],
  'request.image-count': 'images-request > accepts ten references and refuses eleven',
  'request.image-forms': [
    'images-request > accepts %s by link, and inline with the right label',
    'images-request > names the wrong picture of a list',
  ],
  'request.layer-one': 'images-request > refuses %s (Spec, "Limits"; I-size)',
  'request.layer-format': 'line-by-line > layer mode accepts PNG and JPEG, and refuses %s',
  'request.formats': [
    'images-request > accepts %s by link, and inline with the right label',
    'images-request > accepts a JPEG labelled %s',
  ],
  'request.bytes': 'images-request > accepts 30 MB and refuses one byte more',
  'request.sides': 'images-request > accepts the smallest picture within the limits',
  'request.pixels': 'images-request > refuses %s (Spec, "Limits")',
  'request.aspect': 'images-request > refuses %s (Spec, "Limits")',
  'request.tiers': 'line-by-line > the size %s is a tier',
  'request.size-pixels': [
    'images-request > accepts the explicit size %s',
    'images-request > refuses %s (Spec, "Limits")',
  ],
  'request.size-aspect': [
    'images-request > accepts the explicit size %s',
    'images-request > refuses %s (Spec, "Limits")',
  ],
  'request.size-auto': 'images-result > keeps the proportions of its source, by tier and with auto',
  'request.optimize': 'images-request > accepts optimize_prompt_options.mode %s',
  'request.format':
    'images-result > gives a real %s of the reported size, by link and inline with the same bytes',
  'request.background': 'line-by-line > background may be %j',
  'request.transparent-one': [
    'images-request > needs only one input image and output_format png: %s is accepted',
    'images-request > refuses it with %s',
  ],
  'request.transparent-png': 'images-request > refuses it with %s',
  'request.response-format':
    'images-result > gives a real %s of the reported size, by link and inline with the same bytes',
  'request.link-life': 'images-result > gives links that work for 24 hours',
  'request.layer-flag':
    'images-result > splits a picture into its objects; composed over the base they give the picture again',
  'request.stream': [
    'images-request > refuses %s (Spec, "Errors" rule 3)',
    'images-request > accepts values that change nothing, as clients send them',
  ],
  'request.watermark': 'images-result > adds the AI mark only when requested',
  'request.no-n': 'images-request > refuses %s (Spec, "Errors" rule 3)',
  'request.no-group': 'images-request > refuses %s (Spec, "Errors" rule 3)',
  'request.no-tools': 'images-request > refuses %s (Spec, "Errors" rule 3)',
  'modes.text': 'images-result > has model, created, data and usage',
  'modes.edit': 'images-result > an edit is a changed picture in which its input can be recognised',
  'modes.fusion': 'images-result > shows every reference of a fusion',
  'modes.interactive': 'images-result > draws a box at its coordinates',
  'modes.one-base': 'images-result > has model, created, data and usage',
  'modes.layers': [
    'images-result > splits a picture into its objects; composed over the base they give the picture again',
    'images-result > makes at most 16 layers of a picture with more objects',
  ],
  'reply.fields': 'images-result > has model, created, data and usage',
  'reply.url': 'images-result > gives a real %s of the reported size, by link and inline with the same bytes',
  'reply.b64': 'images-result > gives a real %s of the reported size, by link and inline with the same bytes',
  'reply.size':
    'images-result > gives a real %s of the reported size, by link and inline with the same bytes',
  'reply.format':
    'images-result > gives a real %s of the reported size, by link and inline with the same bytes',
  'reply.z-index': 'images-result > describes each layer',
  'reply.box': 'images-result > describes each layer',
  'reply.names': 'images-result > describes each layer',
  'reply.usage': [
    'images-result > has model, created, data and usage',
    'images-result > counts input images',
  ],
  'errors.shape': 'line-by-line > refuses in its own shape',
  'errors.parameter': 'line-by-line > refuses in its own shape',
  'errors.key': 'line-by-line > a bad key is AuthenticationError',
  'errors.right':
    'images-request > distinguishes a missing right to the model from moderation by its message',
  'errors.size': 'images-request > answers 413 to a body above the limit',
  'errors.rate': 'images-result > is 429 with Retry-After at once when the clock does not run',
  'errors.server': 'images-result > answers a scripted failure at once',
  'versioning.path': 'line-by-line > answers below its version prefix',
  'versioning.snapshot': 'line-by-line > %s is published with the date of a snapshot',
}
