import { rename, rm, writeFile } from 'node:fs/promises'
import type { Recipe } from './recipe.ts'
import { renderSound } from './render-sound.ts'
import { renderLastFrame, renderVideo, type Sources } from './render-video.ts'

/** Renders any recipe into a file, which appears only when it is complete. */
export async function renderRecipe(recipe: Recipe, sources: Sources, file: string): Promise<void> {
  switch (recipe.kind) {
    case 'video':
      return renderVideo(recipe, sources, file)
    case 'last_frame':
      return writeWhole(file, await renderLastFrame(recipe, sources))
    case 'sound':
      return writeWhole(file, await renderSound(recipe, sources))
  }
}

async function writeWhole(file: string, bytes: Buffer): Promise<void> {
  const part = `${file}.part`
  try {
    await writeFile(part, bytes)
    await rename(part, file)
  } finally {
    await rm(part, { force: true })
  }
}
