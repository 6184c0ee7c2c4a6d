import { effect, signal } from '@preact/signals'

export type Theme = 'system' | 'light' | 'dark'

const key = 'emulator-theme'
const stored = localStorage.getItem(key)

/** Light, dark, or the setting of the system. */
export const theme = signal<Theme>(stored === 'light' || stored === 'dark' ? stored : 'system')

effect(() => {
  if (theme.value === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme.value
  localStorage.setItem(key, theme.value)
})

const next: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' }

export function switchTheme(): void {
  theme.value = next[theme.value]
}
