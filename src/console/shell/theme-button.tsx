import { Button } from '../parts/button.tsx'
import { switchTheme, type Theme, theme } from '../store/theme.ts'

const looks: Readonly<Record<Theme, { icon: 'sun' | 'moon' | 'half'; words: string }>> = {
  system: { icon: 'half', words: 'Colours: as the system' },
  light: { icon: 'sun', words: 'Colours: light' },
  dark: { icon: 'moon', words: 'Colours: dark' },
}

export function ThemeButton() {
  const { icon, words } = looks[theme.value]
  return <Button look="plain" icon={icon} label={words} act={switchTheme} />
}
