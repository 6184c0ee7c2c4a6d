import type { ComponentChildren } from 'preact'
import type { Sendable } from '../parts/copy-as.ts'
import { CurlButton } from '../parts/curl-button.tsx'
import { Icon } from '../parts/icons.tsx'
import { Json } from '../parts/json.tsx'
import { keyOf } from '../store/accounts.ts'
import { to } from '../store/address.ts'
import { creates } from '../store/operations.ts'
import { type DocOperation, exampleOf } from './document.ts'
import { Prose, SchemaView, typeText } from './schema-view.tsx'

/** One operation: what it is, what it takes, and what it answers. */
export function OperationView({ operation }: { operation: DocOperation }) {
  const { method, path, summary, description = '', parameters, requestBody, responses } = operation
  const body = requestBody?.content['application/json']?.schema
  const example = exampleOf(operation)
  return (
    <article class="operation">
      <header class="page-title">
        <h1 class="row">
          <a class="button plain small icon back" href={to('docs')} aria-label="All operations">
            <Icon name="back" />
          </a>
          {summary}
        </h1>
        <p class="mono path">
          <span class={`method ${method.toLowerCase()}`}>{method}</span> {path}
        </p>
        {description !== '' && (
          <p class="quiet">
            <Prose text={description} />
          </p>
        )}
        <p class="row">
          {creates().some(({ id }) => id === operation.key) && (
            <a class="button small primary" href={to('playground', operation.key)}>
              Send it in the playground
            </a>
          )}
          <CurlButton call={callOf(operation)} />
        </p>
      </header>
      {parameters.length > 0 && (
        <Part title="Parameters">
          <dl class="facts">
            {parameters.map(({ name, in: place, required, description: about = '', schema }) => [
              <dt key={name}>
                <span class="mono">{name}</span> <span class="small">in the {place}</span>
              </dt>,
              <dd key={`${name}=`}>
                {typeText(schema)}
                {required && <span class="tag needed">required</span>}{' '}
                <span class="small quiet">
                  <Prose text={about || (schema.description ?? '')} />
                </span>
              </dd>,
            ])}
          </dl>
        </Part>
      )}
      {body && (
        <Part title="Request body">
          <SchemaView schema={body} />
        </Part>
      )}
      {example !== undefined && (
        <section class="panel" aria-label="Example">
          <header>
            <h2>Example</h2>
          </header>
          <Json value={example} label="Example body" />
        </section>
      )}
      <Part title="Replies">
        <ul class="stack">
          {Object.entries(responses).map(([status, { description: about, content }]) => (
            <li key={status}>
              <p>
                <strong class="mono">{status}</strong> <span class="quiet">{about}</span>
              </p>
              {content?.['application/json']?.schema && (
                <SchemaView schema={content['application/json'].schema} kind="received" />
              )}
            </li>
          ))}
        </ul>
      </Part>
    </article>
  )
}

function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="panel" aria-label={title}>
      <header>
        <h2>{title}</h2>
      </header>
      <div class="body">{children}</div>
    </section>
  )
}

/** The request; parts of the path that the caller must choose stay in braces. */
function callOf(operation: DocOperation): Sendable {
  const isEmulated = !operation.key.startsWith('control:')
  return {
    method: operation.method,
    url: `${location.origin}${operation.path}`,
    ...(isEmulated && { key: keyOf('default') }),
    body: exampleOf(operation),
  }
}
