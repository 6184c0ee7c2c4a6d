import type { KeptFiles } from '../run/kept-files.ts'
import { counted } from './counted.ts'

export interface Disk {
  /** How many results the undisturbed program keeps as files. */
  expected: number
  /** The results that are whole, by their path on the emulator. */
  whole: string[]
  /** A file that has the name of a whole result and does not hold one. */
  broken?: { name: string; bytes: number; of?: number }
}

/** Compares what a folder holds now with what it holds after an undisturbed run; undefined when it cannot be known. */
export function diskOf(undisturbed: KeptFiles | undefined, now: KeptFiles | undefined): Disk | undefined {
  if (!undisturbed || !now) return undefined
  const isName = namesOfResults(undisturbed)
  const patterns = new Set([...undisturbed.whole.keys(), ...now.whole.keys()].map(patternOf))
  const [begun] = [...now.begun].filter(([name]) => patterns.has(patternOf(name)))
  const [other] = [...now.others].filter(([name]) => isName(name))
  const broken = begun ? { name: begun[0], ...begun[1] } : other && { name: other[0], bytes: other[1] }
  return {
    expected: new Set(undisturbed.whole.values()).size,
    whole: [...new Set(now.whole.values())],
    ...(broken && { broken }),
  }
}

/** Whether only results have this name, or one like it with other ids and moments. */
function namesOfResults({ whole, begun, others }: KeptFiles): (name: string) => boolean {
  const foreign = new Set([...begun.keys(), ...others.keys()].map(patternOf))
  const patterns = new Set([...whole.keys()].map(patternOf).filter(pattern => !foreign.has(pattern)))
  return name => whole.has(name) || patterns.has(patternOf(name))
}

function patternOf(name: string): string {
  return name.replace(/[\da-f]{8,}|\d+/g, '0')
}

/** What is wrong with the results in a folder; undefined when nothing is. */
export function wrongOnDisk({
  broken,
  whole,
  expected,
}: Disk): { sentence: string; title: string } | undefined {
  if (broken?.of !== undefined)
    return {
      sentence: `${broken.name}, the name of a whole result, holds ${broken.bytes} of ${broken.of} bytes`,
      title: 'leaves a part of a file under the name that it has when it is whole',
    }
  if (broken)
    return {
      sentence: `${broken.name}, the name of a whole result, holds ${counted(broken.bytes, 'byte')} that are none`,
      title: 'leaves other bytes under the name of a result',
    }
  if (whole.length >= expected) return undefined
  return {
    sentence: `${whole.length} of ${expected} ${expected === 1 ? 'result is' : 'results are'} whole in the state folder`,
    title: 'ends with 0 without the result',
  }
}
