import { effect, signal } from '@preact/signals'
import { Button } from '../parts/button.tsx'

const looks: Readonly<Record<Theme, { icon: 'sun' | 'moon' | 'half'; words: string }>> = {
  system: { icon: 'half', words: 'Colours: as the system' },
  light: { icon: 'sun', words: 'Colours: light' },
  dark: { icon: 'moon', words: 'Colours: dark' },
}

export function ThemeButton() {
  const { icon, words } = looks[theme.value]
  return <Button look="plain" icon={icon} label={words} act={switchTheme} />
}

export type Theme = 'system' | 'light' | 'dark'

const key = 'emulator-theme'
const stored = localStorage.getItem(key)

/** Light, dark, or the setting of the system. */
const theme = signal<Theme>(stored === 'light' || stored === 'dark' ? stored : 'system')

effect(() => {
  if (theme.value === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme.value
  localStorage.setItem(key, theme.value)
})

const next: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' }

export function switchTheme(): void {
  theme.value = next[theme.value]
}
