import type { Task } from '../../worlds/task.ts'
import type { FamilyFacts, Words } from '../family.ts'
import { imageToVideo, motionControl, omni } from './videos/models.ts'

/** Spec, "States and transitions", K (batch query). */
const videoWords: Words = {
  queued: 'submitted',
  running: 'processing',
  succeeded: 'succeeded',
  failed: 'failed',
}

/** Spec, "States and transitions", note 2: avatar and voice tasks spell success `succeed`. Presets do too (K-presets). */
const legacyWords: Words = { ...videoWords, succeeded: 'succeed' }

export const facts: FamilyFacts = {
  id: 'k',
  title: 'Family K: image-to-video, avatar, voice clone, preset subjects',
  models: { ...motionControl.models, ...omni.models, ...imageToVideo.models },
  words: videoWords,
  wordsOfKinds: { 'k.avatar': legacyWords, 'k.voice': legacyWords, 'k.preset': legacyWords },
  contentCode: '1301',
  findsBy: 'external id',
  fileless: ['k.voice.create'],
}

export function words({ kind }: Pick<Task, 'kind'>): Words {
  return facts.wordsOfKinds?.[kind] ?? facts.words
}
