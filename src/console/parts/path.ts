/** Steps into a JSON value. */
export type Path = readonly (string | number)[]

/** The steps of a path as messages write it: `content[1].url`, `rules[0].when`. */
export function pathOf(text: string): Path {
  return text
    .split(/[.[\]]+/)
    .flatMap(step => (step === '' ? [] : [/^\d+$/.test(step) ? Number(step) : step]))
}

/** A path as messages write it. */
export function pathText(path: Path): string {
  return path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
    '',
  )
}

/** The value at a path; undefined when there is none. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, step) => (inner as Record<string | number, unknown> | null | undefined)?.[step],
    value,
  )
}
