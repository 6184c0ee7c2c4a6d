import { Button } from '../parts/button.tsx'
import { type CopyForm, copyAs, copyForms, type Sendable } from '../parts/copy-as.ts'
import { copy } from '../parts/copy-button.tsx'
import { notify } from '../store/notices.ts'

export function CopyAs({ call }: { call: Sendable }) {
  const act = async (form: CopyForm) => {
    if (await copy(copyAs(form, call))) notify('done', `Copied as ${copyForms[form]}`)
  }
  return (
    <div class="group" role="group" aria-label="Copy as">
      {(Object.keys(copyForms) as CopyForm[]).map(form => (
        <Button key={form} title={`Copy as ${copyForms[form]}`} act={() => act(form)}>
          {copyForms[form]}
        </Button>
      ))}
    </div>
  )
}
