import { signal } from '@preact/signals'
import type { ExampleRequest } from '../../emulator/page.ts'
import type { Assumption } from '../../evidence/spec.ts'
import type { AssetView, List } from '../../kits/views.ts'
import { about, control } from '../store/api.ts'

export interface Sample {
  name: string
  kind: 'image' | 'video' | 'audio'
  about: string
  url: string
}

export const samples = signal<readonly Sample[]>([])
export const examples = signal<readonly ExampleRequest[]>([])

/** The world's asset library. */
export const assets = signal<readonly AssetView[]>([])
/** What the emulator assumes where the specification is silent. */
export const assumptions = signal<readonly Assumption[]>([])

/** Prompt tags to offer, with what each does. */
export const promptTags = signal<readonly { tag: string; does: string }[]>([])

export async function readOffers(): Promise<void> {
  const [sampleList, exampleList, tagList, assetList, assumptionList] = await Promise.all([
    about<List<Sample>>('GET', '/samples'),
    about<List<ExampleRequest>>('GET', '/examples'),
    about<List<{ tag: string; does: string }>>('GET', '/prompt-tags'),
    control<List<AssetView>>('GET', '/assets'),
    about<List<Assumption>>('GET', '/assumptions'),
  ])
  samples.value = sampleList.items
  examples.value = exampleList.items
  promptTags.value = tagList.items
  assets.value = assetList.items
  assumptions.value = assumptionList.items
}
