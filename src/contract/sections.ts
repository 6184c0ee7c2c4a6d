/** The headings of the specification that statements and assumptions cite. */
export const sections = [
  'What the service does',
  'Family A: create request',
  'Family A: task record',
  'Family B',
  'Family C: task object',
  'Family K: objects',
  'Image: request and response',
  'States and transitions',
  'Endpoints',
  'Authentication',
  'Events',
  'Errors',
  'Limits',
  'Versioning',
] as const

/** A heading of the specification. */
export type Section = (typeof sections)[number]
