import type { WorldClient } from '../../client/world.ts'
import { mediaType, type Recipe } from '../../media/recipe.ts'
import type { MediaDescription } from '../describe-media.ts'

/** The description of a file of the emulator, from its recipe; undefined when the recipe does not show it. `link` is its address. */
export async function recipeFacts(
  world: WorldClient,
  link: string,
  bytes: number,
): Promise<MediaDescription | undefined> {
  const [, task = '', name = ''] = /\/files\/[^/]+\/([^/]+)\/([^/.]+)\./.exec(link) ?? []
  const { media } = await world.tasks.get(decodeURIComponent(task))
  const file = media.find(one => one.name === name)
  if (!file) return undefined
  const known = { type: mediaType(file.ending), bytes }
  const recipe = file.recipe as Recipe
  switch (recipe.kind) {
    case 'video':
      return {
        ...known,
        ...sizeOf(recipe),
        seconds: recipe.frames / recipe.fps,
        fps: recipe.fps,
        audio: recipe.audio !== 'none',
      }
    case 'last_frame':
      return { ...known, ...sizeOf(recipe.of) }
    case 'image':
      return { ...known, ...sizeOf(recipe) }
    case 'sound':
      return { ...known, seconds: recipe.seconds, audio: true }
    case 'kept':
      return undefined
  }
}

function sizeOf({ width, height }: { width: number; height: number }) {
  return { width, height }
}
