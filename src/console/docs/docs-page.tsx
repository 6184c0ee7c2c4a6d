import './docs.css'
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { NoSuchPage, Reading } from '../parts/empty.tsx'
import { SearchField } from '../parts/fields.tsx'
import { groupsOf, hasWords, wordsOf } from '../parts/lists.ts'
import { keyOf } from '../store/accounts.ts'
import { to, world } from '../store/address.ts'
import { isLost } from '../store/connection.ts'
import { report } from '../store/notices.ts'
import { type ApiDocument, documentFiles, documents, readDocument } from '../store/operations.ts'
import { OperationView } from './operation-view.tsx'
import { Prose } from './schema-view.tsx'

const search = signal('')

/** The reference of both APIs: a list of operations, and one of them open. */
export function DocsPage({ item }: { item: string | undefined }) {
  useEffect(() => {
    if (!documents.value.control && !isLost.value) void report(() => readDocument('control'))
  }, [isLost.value])
  const { public: emulated, control } = documents.value
  if (!emulated || !control) return <Reading what="the reference" />
  const shown = item?.startsWith('control') ? control : emulated
  const isOverview = item === undefined || item === 'public' || item === 'control'
  const open = shown.operations.find(({ id }) => id === item)
  return (
    <div class={`page columns docs${isOverview ? '' : ' has-open'}`}>
      <nav class="panel docs-list" aria-label="Operations">
        <div class="docs-kinds" role="group" aria-label="API">
          {(['public', 'control'] as const).map(api => (
            <a key={api} href={to('docs', api)} aria-current={api === shown.api ? 'true' : undefined}>
              {api === 'public' ? 'Emulated API' : 'Control API'}
            </a>
          ))}
        </div>
        <SearchField
          label="Search operations"
          placeholder="Summary or path"
          value={search.value}
          search={words => (search.value = words)}
        />
        <Groups document={shown} item={item} />
      </nav>
      {open ? (
        <OperationView key={open.id} operation={open} />
      ) : isOverview ? (
        <Overview document={shown} />
      ) : (
        <NoSuchPage what={`operation “${item}”`} page="docs">
          All operations
        </NoSuchPage>
      )}
    </div>
  )
}

function Groups({ document, item }: { document: ApiDocument; item: string | undefined }) {
  const words = wordsOf(search.value)
  const found = document.operations.filter(({ id, path, summary }) =>
    hasWords(`${id} ${path} ${summary}`, words),
  )
  return (
    <>
      {[...groupsOf(found, ({ group }) => group)].map(([group, operations]) => (
        <div key={group}>
          <h2 class="list-title small quiet">{document.titles.get(group) ?? group}</h2>
          <ul>
            {operations.map(({ id, method, summary }) => (
              <li key={id}>
                <a href={to('docs', id)} aria-current={id === item ? 'page' : undefined}>
                  <span class={`method ${method.toLowerCase()}`}>{method}</span>
                  <span>{summary}</span>
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </>
  )
}

function Overview({ document: { api, info } }: { document: ApiDocument }) {
  return (
    <article class="operation">
      <header class="page-title">
        <h1>{info.title}</h1>
        <p class="quiet">
          Version {info.version}. <Prose text={info.description ?? ''} />
        </p>
      </header>
      <dl class="body-text facts">
        <dt>Base address</dt>
        <dd class="mono">{location.origin}</dd>
        <dt>{api === 'public' ? 'Key' : 'World'}</dt>
        <dd>
          <code>
            {api === 'public'
              ? `Authorization: Bearer ${keyOf('default')}`
              : `/__emulator/worlds/${world}/… in place of /__emulator/…`}
          </code>
        </dd>
        <dt>OpenAPI 3.1</dt>
        <dd>
          <a href={documentFiles[api]}>{documentFiles[api]}</a>
        </dd>
        <dt>Try it</dt>
        <dd>
          <a href={to('playground')}>The playground</a> has a form for each create.
        </dd>
      </dl>
    </article>
  )
}
