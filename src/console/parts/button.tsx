import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
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

/** A button with an icon, words, or both. */
export function Button({ act, icon, label, look = '', children, ...rest }: Props) {
  return (
    <button
      type={act ? 'button' : 'submit'}
      class={`button ${look}${label === undefined ? '' : ' icon'}`}
      aria-label={label}
      title={label}
      {...(act && { onClick: () => void act() })}
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
