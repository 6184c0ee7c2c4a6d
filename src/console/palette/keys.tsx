import './palette.css'
import { Dialog } from '../parts/dialog.tsx'
import { Scroll } from '../parts/scroll.tsx'
import { keys, otherKeys } from '../shell/keys.ts'
import { closeDialog } from '../store/dialogs.ts'

/** The list of keys. */
export function Keys() {
  const own = keys.map(({ key, shown, does }) => ({ shown: shown ?? key, does }))
  return (
    <Dialog title="Keys" close={closeDialog}>
      <Scroll label="All keys" look="keys">
        <dl>
          {[...otherKeys.slice(0, 1), ...own, ...otherKeys.slice(1)].map(({ shown, does }) => (
            <div key={shown}>
              <dt>
                {shown.split(' ').map(one => (
                  <kbd key={one}>{one}</kbd>
                ))}
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
      </Scroll>
    </Dialog>
  )
}
