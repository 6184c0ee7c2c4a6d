/** The places that scenes are drawn of. */
export type Place = 'mountains'

/** What a scene shows, as data: read from a prompt, and from the seed where the prompt names nothing. */
export interface SceneWords {
  place: Place
}

/** Reads a prompt for the words that decide its scene. */
export function sceneWords(_prompt: string, _seed: number): SceneWords {
  return { place: 'mountains' }
}
