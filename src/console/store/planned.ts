import { computed } from '@preact/signals'
import { momentsOf } from './moments.ts'
import { tasks } from './tasks.ts'

/** The moments of every task of the world. */
export const planned = computed(() => momentsOf(tasks.value))
