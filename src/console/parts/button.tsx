// Every page has buttons, so the sheets of all pages come with them, before those of single pages.
import '../../../fixtures/report/tokens.css'
import '../styles/base.css'
import '../styles/controls.css'
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Icon, type IconName } from './icons.tsx'

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'icon' | 'label' | 'children'> {
  /** Absent for the button that submits its form. */
  act?: () => unknown
  icon?: IconName
  /** What a button without words does, for those who cannot see the icon. */
  label?: string
  /** `primary`, `plain`, `small`, `danger`. */
  look?: string
  children?: ComponentChildren
}

/** A button with an icon, words, or both. It is busy until what it does has ended. */
export function Button({ act, icon, label, look = '', children, ...rest }: Props) {
  const [underWay, setUnderWay] = useState(0)
  const press = async () => {
    setUnderWay(count => count + 1)
    try {
      await act?.()
    } finally {
      setUnderWay(count => count - 1)
    }
  }
  return (
    <button
      type={act ? 'button' : 'submit'}
      class={`button ${look}${label === undefined ? '' : ' icon'}`}
      aria-label={label}
      title={label}
      aria-busy={underWay > 0}
      {...(act && { onClick: () => void press() })}
      {...rest}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

/** The way back from what is open to its list, where a narrow page shows one of them. */
export function BackLink({ to, label }: { to: string; label: string }) {
  return (
    <a class="button plain small icon back" href={to} aria-label={label}>
      <Icon name="back" />
    </a>
  )
}
