/** A place in a source file, from a stack that a program printed. */
export interface Frame {
  file: string
  line: number
  /** The function, where the stack names it. */
  name?: string
}

/** What a program wrote until it ended by itself. */
export interface Written {
  /** Its standard error; when that is empty, all its output. */
  text: string
  code: number
}

/** An error that ended a program because nobody caught it. */
export interface UncaughtError {
  /** The class, such as `KeyError`. */
  name: string
  /** The line that states it. */
  line: string
  /** True for an error of the language about the program's own data; false for one that states what happened, such as a refused connection. */
  isOfData: boolean
  /** Whether the program logged it with its stack. What ended the program may then be another error, or its own decision. */
  isPrinted?: boolean
  /** The stack, innermost first. */
  frames: readonly Frame[]
}

/** Finds an uncaught error of one language; undefined when there is none. */
export type Reader = (written: Written) => UncaughtError | undefined

/** Classes of all languages for data that cannot be read: `JSONDecodeError`, `JsonParseException`, `ZodError`. */
const decoder =
  /(?:Decod(?:e|ing)|Parse|Parser|Parsing|Syntax|Deserializ\w*|Serialization|TypeValidation|ResponseValidation|Zod|Unmarshal\w*|MismatchedInput|MalformedJson|UnidentifiedImage|BadZip(?:File)?)(?:Error|Exception|File)?$/

/** Whether a class stands for data that cannot be read. */
export function isDecoder(name: string): boolean {
  return decoder.test(name)
}

/** The last part of a qualified name: `requests.exceptions.HTTPError` is `HTTPError`. */
export function shortName(name: string): string {
  return name.split(/::|[.\\]/).at(-1) ?? name
}

/** Whether a class says nothing without its message; so do the names that bundlers give. */
export function isGeneric(name: string): boolean {
  return /^(?:an error|[eE]rror|Exception|RuntimeError|RuntimeException|StandardError|\w{1,2})$/.test(name)
}
