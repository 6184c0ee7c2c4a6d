import { computed, signal } from '@preact/signals'

/** `opening` until the emulator answers for the first time, `resting` while the tab is hidden, `lost` when it does not answer. */
export type Connection = 'opening' | 'live' | 'resting' | 'lost'

export const connection = signal<Connection>('opening')

/** Whether changes reach the page as they happen. */
export const isLive = computed(() => connection.value === 'live')

/** Whether the emulator went away: what the page shows is from before. */
export const isLost = computed(() => connection.value === 'lost')

/** What is different since the emulator came back, in a sentence; undefined when nothing is, or when it was read. */
export const difference = signal<string | undefined>(undefined)
