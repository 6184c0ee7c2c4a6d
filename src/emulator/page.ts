// What a page in a browser needs of the control API. Nothing here needs Node.

export type { ExampleRequest } from './control/example-requests.ts'
export type { Shadow } from './scenarios/shadows.ts'
export { mediaNoteForm } from './worlds/excerpt.ts'
