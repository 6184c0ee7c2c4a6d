import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../parts/icons.tsx'
import { go, to } from '../store/address.ts'
import { control } from '../store/api.ts'
import { notify, report } from '../store/notices.ts'
import { checkText, type Verdict } from './check-text.ts'
import { type ScenarioDocument, scenariosChanged } from './listing.ts'

const start = `name: my-scenario
description: The first create is throttled, the second task fails.
rules:
  - when: { operation: "*.create", call: 1 }
    then: { refuse: { fault: rate_limited, retry_after: 5s } }
  - when: { operation: "*.create", call: 2 }
    then: { task: { running: 20s, outcome: failed } }
`
const quietMs = 250

/** A scenario as text, checked while it is typed. */
export function Editor({ from }: { from?: string }) {
  const [text, setText] = useState(from === undefined ? start : '')
  const [verdict, setVerdict] = useState<Verdict>({ kind: 'checking' })

  useEffect(() => {
    if (from !== undefined) void report(async () => setText(await copyOf(from)))
  }, [from])

  useEffect(() => {
    let isWanted = true
    setVerdict({ kind: 'checking' })
    const timer = setTimeout(() => {
      void checkText(text).then(found => isWanted && setVerdict(found))
    }, quietMs)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [text])

  const save = () =>
    report(async () => {
      if (verdict.kind !== 'fine') return
      await control('POST', '/scenarios', verdict.document)
      scenariosChanged.value++
      notify('done', `${verdict.name} acts from now on`)
      go('scenarios', verdict.name)
    })
  return (
    <form
      class="editor"
      onSubmit={event => {
        event.preventDefault()
        void save()
      }}
    >
      <header>
        <h2 class="row">
          <a class="button plain small icon back" href={to('scenarios')} aria-label="All scenarios">
            <Icon name="back" />
          </a>
          {from === undefined ? 'New scenario' : `A copy of ${from}`}
        </h2>
        <button type="submit" class="button primary small" disabled={verdict.kind !== 'fine'}>
          Keep it and let it act
        </button>
      </header>
      <label class="unseen" for="scenario-text">
        Scenario, YAML or JSON
      </label>
      <Lines text={text} wrong={verdict.kind === 'wrong' ? verdict.line : undefined} change={setText} />
      <div role="status" class="verdict">
        <Words verdict={verdict} />
      </div>
    </form>
  )
}

interface LinesProps {
  text: string
  wrong: number | undefined
  change: (text: string) => void
}

function Lines({ text, wrong, change }: LinesProps) {
  const count = text.split('\n').length
  return (
    <div class="lines">
      <div class="numbers mono" aria-hidden="true">
        {Array.from({ length: count }, (_, i) => (
          <span key={i} class={wrong === i + 1 ? 'wrong' : ''}>
            {i + 1}
          </span>
        ))}
      </div>
      <textarea
        id="scenario-text"
        class="mono"
        rows={Math.max(16, count + 1)}
        spellcheck={false}
        wrap="off"
        aria-invalid={wrong !== undefined}
        value={text}
        onInput={event => change(event.currentTarget.value)}
      />
    </div>
  )
}

function Words({ verdict }: { verdict: Verdict }) {
  switch (verdict.kind) {
    case 'checking':
      return <span class="quiet">Checking …</span>
    case 'fine':
      return (
        <span class="tone-succeeded fine">
          <Icon name="check" /> {verdict.name} is sound: {verdict.rules}{' '}
          {verdict.rules === 1 ? 'rule' : 'rules'}
        </span>
      )
    case 'wrong':
      return (
        <span class="tone-failed wrong">
          {verdict.line !== undefined && <strong>Line {verdict.line}: </strong>}
          {verdict.message}
          {verdict.hint !== undefined && <em> {verdict.hint}</em>}
        </span>
      )
  }
}

async function copyOf(name: string): Promise<string> {
  const [{ document }, { stringify }] = await Promise.all([
    control<{ document: ScenarioDocument }>('GET', `/scenarios/${encodeURIComponent(name)}`),
    import('yaml'),
  ])
  return stringify({ ...document, name: `my-${name}`.slice(0, 64) }, { lineWidth: 110 })
}
