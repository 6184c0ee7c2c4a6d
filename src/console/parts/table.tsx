import type { ComponentChildren } from 'preact'

interface Column<T> {
  /** Empty for the actions of a row. */
  name: string
  cell: (row: T) => ComponentChildren
  /** Numbers are aligned at their end. */
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

/** A plain table. */
export function Table<T>({ label, rows, keyOf, columns, isCards = false }: Props<T>) {
  return (
    <Scroll label={`${label}, as a table`}>
      <table class={isCards ? 'table cards' : 'table'}>
        <thead>
          <tr>
            {columns.map(({ name, isNumber }) =>
              name === '' ? (
                <td key={name} />
              ) : (
                <th key={name} scope="col" class={isNumber ? 'number' : ''}>
                  {name}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={keyOf(row)}>
              {columns.map(({ name, cell, isNumber }) => (
                <td key={name} class={isNumber ? 'number' : name === '' ? 'actions' : ''} data-name={name}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

interface ScrollProps {
  label: string
  look?: string
  children: ComponentChildren
}

/** A part that scrolls in itself: sideways on narrow pages, unless its look says otherwise. */
export function Scroll({ label, look = 'scroll-x', children }: ScrollProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
    <section class={look} aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}
