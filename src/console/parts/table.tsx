import type { ComponentChildren } from 'preact'
import { Scroll } from './scroll.tsx'

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

/** A plain table. */
export function Table<T>({ label, rows, keyOf, columns, isCards = false }: Props<T>) {
  return (
    <Scroll label={`${label}, as a table`}>
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
    </Scroll>
  )
}

/** Numbers are aligned at their end; the actions of a row are in a last column without a name. */
function classOf({ name, isNumber = false }: { name: string; isNumber?: boolean | undefined }): string {
  if (isNumber) return 'number'
  return name === '' ? 'actions' : ''
}
