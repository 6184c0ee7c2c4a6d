import { useState } from 'preact/hooks'
import type { Assumption, Source } from '../../assumptions/assumption.ts'
import { hasWords, wordsOf } from '../parts/search.ts'
import { useFetched } from '../parts/use-fetched.ts'
import { about } from '../store/api.ts'
import type { Listed } from '../store/shapes.ts'

export function AssumptionsPanel() {
  const [search, setSearch] = useState('')
  const { value } = useFetched(() => about<Listed<Assumption>>('GET', '/assumptions'), [])
  const words = wordsOf(search)
  const shown = (value?.items ?? []).filter(item => hasWords(JSON.stringify(item), words))
  return (
    <>
      <div class="body">
        <input
          class="field"
          type="search"
          id="search"
          aria-label="Search assumptions"
          placeholder={`Search ${value?.items.length ?? 0} assumptions`}
          value={search}
          onInput={event => setSearch(event.currentTarget.value)}
        />
      </div>
      <ul class="assumptions">
        {shown.map(({ id, scope, question, answer, reason, source, certainty, confirmed }) => (
          <li key={id}>
            <h3>
              <span class="tag">{scope}</span> {question} <span class="small quiet mono">{id}</span>
            </h3>
            <p>{answer}</p>
            <p class="small quiet">{reason}</p>
            <p class="small quiet">
              {sourceText(source)} Certainty: {certainty}. Last confirmed:{' '}
              {confirmed ? `${confirmed.at} by ${confirmed.recording}` : 'never'}.
            </p>
          </li>
        ))}
      </ul>
    </>
  )
}

function sourceText(source: Source): string {
  switch (source.kind) {
    case 'specification':
      return `Specification, “${source.section}”: ${source.says}`
    case 'upstream':
      return `Upstream, ${source.evidence}: ${source.fact}`
    case 'guess':
      return `A guess: ${source.because}`
  }
}
