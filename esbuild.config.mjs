// Bundles the sources into a few files: reading some two hundred small modules would take half of the start-up time.
import { rm } from 'node:fs/promises'
import { build } from 'esbuild'

await rm('dist', { recursive: true, force: true })

await build({
  entryPoints: { main: 'src/main.ts', index: 'src/index.ts', 'track-worker': 'src/media/track-worker.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Native, large, or seldom needed: left where npm put them, and loaded when first used.
  external: [
    '@faker-js/faker',
    '@ffmpeg-installer/*',
    '@ffprobe-installer/*',
    'express',
    'fluent-ffmpeg',
    'image-size',
    'mediabunny',
    'prom-client',
    'selfsigned',
    'sharp',
    'tsx',
    'yaml',
  ],
  // Bundled CommonJS modules ask for node's own ones by `require`.
  banner: {
    js: "import { createRequire as makeRequire } from 'node:module'; globalThis.require ??= makeRequire(import.meta.url);",
  },
  legalComments: 'linked',
  logLevel: 'warning',
})
