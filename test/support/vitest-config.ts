interface Settings {
  cacheDir: string
  resolve?: { alias: Record<string, string> }
  test: Record<string, unknown>
}

/** The text of a configuration for vitest. As for a package in node_modules, vitest does not translate the built program. */
export function vitestConfig({ test, ...settings }: Settings): string {
  const rest = JSON.stringify(test).slice(1)
  const more = JSON.stringify(settings).slice(1)
  return `export default { test: { server: { deps: { external: [/\\/dist\\//] } }, ${rest}, ${more}`
}
