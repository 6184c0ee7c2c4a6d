import { experimental_generateVideo as generateVideo } from 'ai'
import { plainDownload } from '../../docs/examples/plain-download.ts'
import type { WorldClient } from '../../src/index.ts'

type Options = Parameters<typeof generateVideo>[0]

/** The AI SDK's call for a video of a world, with the options that the tests of a package share. */
export const videosBy =
  (
    modelFor: (world: WorldClient, apiKey?: string) => Options['model'],
    polling: Options['providerOptions'],
  ) =>
  (world: WorldClient, options: Partial<Options> = {}, apiKey?: string) =>
    generateVideo({
      model: modelFor(world, apiKey),
      prompt: 'a lighthouse at dawn',
      aspectRatio: '16:9',
      resolution: '1280x720',
      duration: 4,
      ...(polling && { providerOptions: polling }),
      maxRetries: 0,
      download: plainDownload,
      ...options,
    })
