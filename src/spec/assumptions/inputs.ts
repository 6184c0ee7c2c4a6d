import { answersOf, guess, specification } from './assumption.ts'

/** All families: which references to inputs are allowed, and what is known of them. */
export const inputs = answersOf('all', {
  'A-real-face': [
    'What counts as a real face?',
    'A picture that was registered as one (compared by content), a URL or file name that contains real-face, or a scenario. An asset:// reference to a certified person is accepted.',
    'An emulator cannot recognise faces, so the test marks them.',
    specification(
      'high',
      'What the service does',
      'A real face in a request is a 403; what counts as one is not shown.',
    ),
  ],
  'A-references': [
    'Which references to inputs are allowed, and may blanks surround them?',
    'http and https URLs, data URIs and asset:// references in every family; also oss:// in B, mm_file:// in C and plain base64 in K. Anything else is 400. Blanks before a reference and after a URL are 400.',
    'A URL has no blanks, and the caller learns of the mistake before anything is charged.',
    specification(
      'medium',
      'Image: request and response',
      'An image is a URL or a data URI; stores of a vendor belong to that vendor.',
    ),
  ],
  'A-endings': [
    'What is checked of an input that is not fetched?',
    'Its kind and format, if the ending of its URL names one: .svg, .avif or .exe are 400 where the list has no such format. An ending that names no format is accepted. All other properties are assumed to be legal.',
    'The lists of formats hold for every input, and the ending is the only known property of such a file.',
    specification('medium', 'Image: request and response', 'The formats of an image are listed.'),
  ],
  'A-invented-lengths': [
    'How long is an input that is not fetched?',
    'Five seconds, or less when the limits of the request require it: for all inputs together, and in family B for inputs and output together. When even the shortest inputs do not fit, the request is 400.',
    'An accepted request must not contain a length that the real service would refuse.',
    guess('medium', 'The file is not read, so any length is an invention.'),
  ],
})
