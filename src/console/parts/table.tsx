import type { ComponentChildren } from 'preact'

interface Column<T> {
  name: string
  cell: (row: T) => ComponentChildren
  isNumber?: boolean
}

interface Props<T> {
  label: string
  rows: readonly T[]
  keyOf: (row: T) => string
  columns: readonly Column<T>[]
  /** True for rows that are cards on a phone. */
  isCards?: boolean
}

/** A plain table that scrolls sideways in itself on narrow pages. */
export function Table<T>({ label, rows, keyOf, columns, isCards = false }: Props<T>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
    <section class="scroll-x" aria-label={`${label}, as a table`} tabIndex={0}>
      <table class={isCards ? 'table cards' : 'table'}>
        <thead>
          <tr>
            {columns.map(({ name, isNumber }) => (
              <th key={name} scope="col" class={classOf({ name, isNumber })}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={keyOf(row)}>
              {columns.map(({ name, cell, isNumber }) => (
                <td key={name} class={classOf({ name, isNumber })} data-name={name}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Numbers are aligned at their end; the actions of a row are in a last column without a name. */
function classOf({ name, isNumber = false }: { name: string; isNumber?: boolean | undefined }): string {
  if (isNumber) return 'number'
  return name === '' ? 'actions' : ''
}
