import { Icon } from './icons.tsx'

/** What a form does when it is sent, in place of leaving the page. */
export function submits(act: () => unknown): (event: Event) => void {
  return event => {
    event.preventDefault()
    void act()
  }
}

interface SearchProps {
  label: string
  placeholder: string
  value: string
  search: (words: string) => void
}

/** The search of a page; the key / goes there. */
export function SearchField({ label, placeholder, value, search }: SearchProps) {
  return (
    <label class="search">
      <span class="unseen">{label}</span>
      <Icon name="search" />
      <input
        class="field"
        type="search"
        id="search"
        placeholder={placeholder}
        value={value}
        aria-keyshortcuts="/"
        onInput={event => search(event.currentTarget.value)}
        onKeyDown={event => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          document.querySelector<HTMLElement>('.virtual-row :is(a, button)')?.focus()
        }}
      />
    </label>
  )
}

interface SelectProps {
  label?: string
  id?: string
  look?: string
  value: string
  /** Values, with their words where these differ. */
  options: readonly (string | readonly [value: string, words: string])[]
  choose: (value: string) => void
  onFocus?: () => void
}

/** A drop-down list. */
export function Select({ label, id, look = '', value, options, choose, onFocus }: SelectProps) {
  return (
    <select
      id={id}
      onFocus={onFocus}
      class={`field ${look}`}
      aria-label={label}
      value={value}
      onChange={event => choose(event.currentTarget.value)}
    >
      {options.map(option => {
        const [own, words] = typeof option === 'string' ? [option, option] : option
        return (
          <option key={own} value={own}>
            {words}
          </option>
        )
      })}
    </select>
  )
}

interface NumberProps {
  label: string
  value: number | undefined
  least: number
  most?: number
  set: (value: number | undefined) => void
}

/** A small whole number; undefined while the field is empty. Another number stays as it is typed, with the reason why it is refused. */
export function NumberField({ label, value, least, most, set }: NumberProps) {
  const isRight =
    value === undefined || (Number.isInteger(value) && value >= least && value <= (most ?? value))
  return (
    <>
      <input
        class="field count"
        type="number"
        min={least}
        max={most}
        aria-label={label}
        aria-invalid={!isRight}
        placeholder="–"
        value={value ?? ''}
        onInput={({ currentTarget: { value: text } }) => set(text === '' ? undefined : Number(text))}
      />
      {!isRight && (
        <span class="small tone-failed fault" role="alert">
          a whole number {most === undefined ? `from ${least}` : `from ${least} to ${most}`}
        </span>
      )}
    </>
  )
}

/** What an input with this list offers. */
export function Offers({ id, words }: { id: string; words: readonly string[] }) {
  return (
    <datalist id={id}>
      {words.map(word => (
        <option key={word} value={word} />
      ))}
    </datalist>
  )
}

interface SwitchProps {
  label: string
  isOn: boolean
  /** False when it was refused: the switch goes back. */
  turn: (isOn: boolean) => Promise<boolean>
}

export function Switch({ label, isOn, turn }: SwitchProps) {
  return (
    <input
      type="checkbox"
      role="switch"
      class="switch"
      aria-label={label}
      checked={isOn}
      onChange={async ({ currentTarget: input }) => {
        const { checked } = input
        if (!(await turn(checked))) input.checked = !checked
      }}
    />
  )
}

interface FileProps {
  label: string
  accept: string
  open: (file: File | undefined) => Promise<unknown>
}

/** A button that opens a file. It is cleared by a click; else the browser sends no event when the same file, edited, is chosen again. */
export function FileButton({ label, accept, open }: FileProps) {
  return (
    <label class="button">
      {label}
      <input
        class="unseen"
        type="file"
        accept={accept}
        onClick={({ currentTarget }) => {
          currentTarget.value = ''
        }}
        onChange={event => void open(event.currentTarget.files?.[0])}
      />
    </label>
  )
}
