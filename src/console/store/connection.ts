import { computed, signal } from '@preact/signals'

/**
 * `opening` until the emulator answers for the first time, `resting` while the tab is hidden, `lost` when the emulator does not
 * answer, `absent` when the world is not open.
 */
export type Connection = 'opening' | 'live' | 'resting' | 'lost' | 'absent'

export const connection = signal<Connection>('opening')

/** Counts how often the page began to follow the world: a reply to an older question says nothing about the world of now. */
export const openings = signal(0)

/** Whether changes reach the page as they happen. */
export const isLive = computed(() => connection.value === 'live')

/** Whether the emulator does not answer. */
export const isLost = computed(() => connection.value === 'lost')

/** Whether the page shows old contents: the emulator does not answer, or the world is not open. */
export const isStale = computed(() => isLost.value || connection.value === 'absent')

/** What is different since the emulator came back, in a sentence; undefined when nothing is, or when the sentence was closed. */
export const difference = signal<string | undefined>(undefined)
