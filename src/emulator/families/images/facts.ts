import { type FamilyFacts, ownWords } from '../family.ts'

export const facts = {
  id: 'image',
  title: 'Image: synchronous generation and layer decomposition',
  models: { model_image: { title: 'image' } },
  // No endpoint of this family shows a status; the control API does.
  words: ownWords('queued', 'running', 'succeeded', 'failed'),
} satisfies FamilyFacts
