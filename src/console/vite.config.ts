import { rename, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { defineConfig, type Plugin } from 'vite'

// Tests build it too, and what they build may be packed: it must be the same.
process.env.NODE_ENV = 'production'

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))

const target = here('../../dist/console')
const next = here('../../dist/console-next')

/** The page of a trace, all in one file: the document is put into it. */
async function traceFile(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [here('trace/file.tsx')],
    outdir: 'trace',
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    // A file has no address of its own.
    define: { 'import.meta.url': 'location.href' },
  })
  const part = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? ''
  const script = part('.js').replaceAll('</script', '<\\/script')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Trace</title>
<style>${part('.css')}</style>
</head>
<body>
<div id="console"></div>
<script type="application/json" id="trace"></script>
<script>${script}</script>
</body>
</html>
`
}

/** The new console takes the place of the old one only when it is whole: an emulator may be serving it meanwhile. */
const swapIn: Plugin = {
  name: 'swap-in',
  async closeBundle(error) {
    if (error) return
    await writeFile(`${next}/trace.html`, await traceFile())
    await rm(target, { recursive: true, force: true })
    await rename(next, target)
  },
}

/**
 * What more than one page uses is one file. Without this, it would be dozens of files of less than 2 kB, and a browser would send a request
 * for each of them before it shows a page. The parser of YAML is large, and few pages need it.
 */
const shared = { name: 'shared', minShareCount: 2, test: /^(?!.*node_modules[\\/]yaml[\\/])/ }

/** Builds the console into the package. Addresses in the pages are relative to `/__emulator/`. */
export default defineConfig({
  root: here('.'),
  base: './',
  plugins: [swapIn],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: next,
    emptyOutDir: true,
    license: { fileName: 'THIRD-PARTY.md' },
    // "assets" is a path of the control API.
    assetsDir: 'static',
    assetsInlineLimit: 0,
    target: 'es2022',
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      input: here('index.html'),
      output: { codeSplitting: { groups: [shared] } },
    },
  },
})
