import { lazy } from '../parts/lazy.tsx'
import { dialog } from '../store/dialogs.ts'

const Nothing = () => null
const Palette = lazy(async () => (await import('../palette/palette.tsx')).Palette, Nothing)
const Keys = lazy(async () => (await import('../palette/keys.tsx')).Keys, Nothing)
const BreakDialog = lazy(async () => (await import('../breaking/break-dialog.tsx')).BreakDialog, Nothing)
const NewWorld = lazy(async () => (await import('../world/new-world.tsx')).NewWorld, Nothing)

/** The dialog that is open. */
export function Dialogs() {
  const open = dialog.value
  switch (open?.kind) {
    case undefined:
      return null
    case 'palette':
      return <Palette />
    case 'keys':
      return <Keys />
    case 'break':
      return <BreakDialog {...open} />
    case 'world':
      return <NewWorld />
  }
}
