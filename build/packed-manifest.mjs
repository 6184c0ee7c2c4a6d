// npm packs package.json as it lies there. Before, `strip` takes out what only a clone needs, such as `prepare`, about which npm would
// warn whoever installs the package; afterwards, `restore` puts the file back.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

const manifest = 'package.json'
/** The file as it was. It is ignored by git, and not among the files of the package. */
const kept = '.package.json.kept'
const onlyInClone = ['scripts', 'devDependencies', 'simple-git-hooks', 'lint-staged']

const steps = {
  strip() {
    // What an interrupted run has left is the whole file.
    steps.restore()
    const text = readFileSync(manifest, 'utf8')
    writeFileSync(kept, text)
    const entries = Object.entries(JSON.parse(text)).filter(([key]) => !onlyInClone.includes(key))
    writeFileSync(manifest, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`)
  },
  restore() {
    if (existsSync(kept)) renameSync(kept, manifest)
  },
}

const [step] = process.argv.slice(2)
if (!Object.hasOwn(steps, step)) throw new Error(`${step} is not ${Object.keys(steps).join(' or ')}`)
steps[step]()
