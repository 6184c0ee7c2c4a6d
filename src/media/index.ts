// What makes and reads files: recipes, links, inputs, the library of results and its workers.

export { createGate, once } from './files/gate.ts'
export { createLibrary, type Library, openTransfer } from './files/library.ts'
export { checkTemporaryFolder, mediaPlace } from './files/library-folder.ts'
export { isGenuine, linkPrefix, linkTo, parseLink } from './files/links.ts'
export { InputError } from './inputs/errors.ts'
export { sniff } from './inputs/formats.ts'
export type { AssetFile, SelfLinkFile } from './inputs/inputs.ts'
export { createInputs, type Inputs } from './inputs/inputs.ts'
export {
  checkLimits,
  checkTotalSeconds,
  type LimitProblem,
  type MediaLimits,
  totalSeconds,
} from './inputs/limits.ts'
export { measure } from './inputs/measure.ts'
export { createPrepare } from './inputs/prepare-input.ts'
export { loadSharp } from './render/pixels.ts'
export {
  type Box,
  codecs,
  containers,
  type Digest,
  type ImageInput,
  type ImageRecipe,
  imageFormats,
  type KeptRecipe,
  mediaType,
  type PointedPlace,
  posterOf,
  type Recipe,
  recipeEnding,
  recipeKey,
  type SoundRecipe,
  type VideoRecipe,
  type VideoSound,
} from './render/recipe.ts'
export { ffmpegFault, findFfmpeg, PackageMissingError } from './render/tools.ts'
export type { Layer } from './workers/job.ts'
export { createWorkerPool, type WorkerPool } from './workers/pool.ts'
