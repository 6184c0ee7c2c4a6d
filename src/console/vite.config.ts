import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Builds the console and the API reference into the package. Addresses in the pages are relative to `/__emulator/`. */
export default defineConfig({
  root: here('.'),
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: here('../../dist/console'),
    emptyOutDir: true,
    license: { fileName: 'THIRD-PARTY.md' },
    // "assets" is a path of the control API.
    assetsDir: 'static',
    assetsInlineLimit: 0,
    target: 'es2022',
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
    rolldownOptions: { input: { index: here('index.html'), docs: here('docs.html') } },
  },
})
