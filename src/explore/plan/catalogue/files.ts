import type { FailureRow } from './failure.ts'
import { downloads, linkRules } from './sources.ts'

/** Failures of a file and of its link. */
export const files: readonly FailureRow[] = [
  {
    id: 'file_truncated',
    title: 'the file breaks off half way',
    kind: 'media',
    transient: true,
    source: downloads('network'),
    effect: { media: 'truncated' },
  },
  {
    id: 'file_empty',
    title: 'the file is empty',
    kind: 'media',
    transient: false,
    source: downloads('network'),
    effect: { media: 'empty' },
  },
  {
    id: 'file_corrupt',
    title: 'the file has the right length and wrong bytes',
    kind: 'media',
    transient: false,
    source: downloads('network'),
    effect: { media: 'corrupt' },
  },
  {
    id: 'file_wrong_type',
    title: 'a page of HTML comes instead of the file',
    kind: 'media',
    transient: false,
    source: downloads('network'),
    effect: { media: 'wrong_type' },
  },
  {
    id: 'file_stalled',
    title: 'the file stops half way and the connection stays open',
    kind: 'media',
    transient: true,
    source: downloads('network'),
    effect: { media: { stall_after: '50%' } },
  },
  {
    id: 'link_expired',
    title: 'the link has expired',
    kind: 'media',
    transient: false,
    source: downloads(linkRules),
    effect: { media: { link: 'expired' } },
  },
  {
    id: 'link_exhausted',
    title: 'the link has been used too often',
    kind: 'media',
    transient: false,
    source: downloads(linkRules),
    effect: { media: { link: 'exhausted' } },
  },
]
