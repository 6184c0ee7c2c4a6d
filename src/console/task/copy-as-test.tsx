import type { TestForm } from '../as-test/test-of.ts'
import { copy } from '../parts/copy-button.tsx'
import { Icon } from '../parts/icons.tsx'
import { control } from '../store/api.ts'
import { notify, report } from '../store/notices.ts'
import { makerOf } from '../store/operations.ts'
import type { Entry, Listed, TaskLine, TaskView } from '../store/shapes.ts'

const forms: Readonly<Record<TestForm, string>> = {
  vitest: 'vitest',
  playwright: 'Playwright',
  pytest: 'pytest',
}

/** The story of the task as a test, for one of three kits. */
export function CopyAsTest({ task, line }: { task: TaskView; line: TaskLine }) {
  const act = (form: TestForm) =>
    report(async () => {
      const [{ testOf }, { items }] = await Promise.all([
        import('../as-test/test-of.ts'),
        control<Listed<Entry>>('GET', `/requests?task=${encodeURIComponent(task.id)}&limit=1000`),
      ])
      const text = testOf(form, { task, line, entries: items, maker: makerOf(task.kind) }, location.origin)
      if (await copy(text))
        notify('done', `Copied as a test for ${forms[form]}: paste it into a file and run it`)
    })
  return (
    <div class="group as-test" role="group" aria-label="Copy as test">
      <span class="as-test-label small">
        <Icon name="copy" />
        Copy as test
      </span>
      {(Object.keys(forms) as TestForm[]).map(form => (
        <button
          key={form}
          type="button"
          class="button small"
          title={`Copy the story as a test for ${forms[form]}`}
          onClick={() => void act(form)}
        >
          {forms[form]}
        </button>
      ))}
    </div>
  )
}
