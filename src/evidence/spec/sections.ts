/** The headings of the specification that its rows cite, each with the line where it begins. */
const beginnings = [
  [5, 'What the service does'],
  [27, 'Family A: create request'],
  [52, 'Family A: task record'],
  [73, 'Family B'],
  [106, 'Family C: task object'],
  [128, 'Family K: objects'],
  [134, 'Image: request and response'],
  [171, 'States and transitions'],
  [198, 'Endpoints'],
  [260, 'Authentication'],
  [269, 'Events'],
  [274, 'Errors'],
  [292, 'Limits'],
  [311, 'Versioning'],
] as const

/** A heading of the specification. */
export type Section = (typeof beginnings)[number][1]

/** All headings, in their order. */
export const sections: readonly Section[] = beginnings.map(([, section]) => section)

/** The heading above a line of the specification. Throws for a line above the first one. */
export function sectionAt(line: number): Section {
  const found = beginnings.findLast(([first]) => first <= line)
  if (!found) throw new Error(`No section of the specification contains line ${line}`)
  return found[1]
}
