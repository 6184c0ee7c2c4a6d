import { type FailureRow, failuresIn } from './failure.ts'
import { downloads, linkRules } from './sources.ts'

/** Failures of a file and of its link. */
// biome-ignore format: a table, one row a line
export const files: readonly FailureRow[] = failuresIn([
  ['file_truncated', 'media', 'passes', 'the file breaks off half way', downloads('network'), { media: 'truncated' }],
  ['file_empty', 'media', 'stays', 'the file is empty', downloads('network'), { media: 'empty' }],
  ['file_corrupt', 'media', 'stays', 'the file has the right length and wrong bytes', downloads('network'), { media: 'corrupt' }],
  ['file_wrong_type', 'media', 'stays', 'a page of HTML comes instead of the file', downloads('network'), { media: 'wrong_type' }],
  ['file_stalled', 'media', 'passes', 'the file stops half way and the connection stays open', downloads('network'), { media: { stall_after: '50%' } }],
  ['link_expired', 'media', 'stays', 'the link has expired', downloads(linkRules), { media: { link: 'expired' } }],
  ['link_exhausted', 'media', 'stays', 'the link has been used too often', downloads(linkRules), { media: { link: 'exhausted' } }],
])
