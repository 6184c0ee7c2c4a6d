/** The path to a place in a document: keys and indexes from the top. */
export type Steps = readonly (string | number)[]

interface ErrorPlace {
  steps: Steps
  /** Counted from 1. */
  line?: number | undefined
  file?: string | undefined
  /** What to write instead. */
  hint?: string | undefined
}

/** A scenario that cannot be used: what is wrong, where, and what to write instead. */
export class ScenarioError extends Error {
  readonly steps: Steps
  readonly line?: number
  readonly file?: string
  readonly hint?: string

  constructor(message: string, { steps, line, file, hint }: ErrorPlace) {
    super(message)
    this.name = 'ScenarioError'
    this.steps = steps
    if (line !== undefined) this.line = line
    if (file !== undefined) this.file = file
    if (hint !== undefined) this.hint = hint
  }

  /** Where in the document: `rules[0].then.refuse.fault`; empty for the document as a whole. */
  get path(): string {
    return pathOf(this.steps)
  }

  /** The same error for a document that is at `steps` of a larger one. */
  below(steps: Steps): ScenarioError {
    const { message, line, file, hint } = this
    return new ScenarioError(message, { line, file, hint, steps: [...steps, ...this.steps] })
  }

  /** The whole message in one line: `chaos.yaml:7: rules[0].when.family: "aa" is … (did you mean a?)`. */
  get fullMessage(): string {
    const where = this.file ? `${this.file}${this.line === undefined ? '' : `:${this.line}`}: ` : ''
    return `${where}${this.path ? `${this.path}: ` : ''}${this.message}${this.hint ? ` (${this.hint})` : ''}`
  }
}

function pathOf(steps: Steps): string {
  return steps.reduce<string>((path, step) => {
    if (typeof step === 'number') return `${path}[${step}]`
    if (!/^[\w-]+$/.test(step)) return `${path}[${JSON.stringify(step)}]`
    return path ? `${path}.${step}` : step
  }, '')
}
