import { BackLink } from '../parts/button.tsx'
import type { Sendable } from '../parts/copy-as.ts'
import { CurlButton } from '../parts/copy-button.tsx'
import { Json } from '../parts/json.tsx'
import { Panel } from '../parts/panel.tsx'
import { keyOf } from '../store/accounts.ts'
import { to } from '../store/address.ts'
import { creates, exampleOf, type Operation } from '../store/operations.ts'
import { Prose, SchemaView, typeText } from './schema-view.tsx'

/** One operation: what it is, what it takes, and what it answers. */
export function OperationView({ operation }: { operation: Operation }) {
  const { method, path, summary, description = '', parameters, body, responses } = operation
  const example = exampleOf(operation)
  return (
    <article class="operation">
      <header class="page-title">
        <h1 class="row">
          <BackLink to={to('docs')} label="All operations" />
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
          {creates().some(({ id }) => id === operation.id) && (
            <a class="button small primary" href={to('playground', operation.id)}>
              Send it in the playground
            </a>
          )}
          <CurlButton call={callOf(operation)} />
        </p>
      </header>
      {parameters.length > 0 && (
        <Panel title="Parameters">
          <div class="body">
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
          </div>
        </Panel>
      )}
      {body && (
        <Panel title="Request body">
          <div class="body">
            <SchemaView schema={body} />
          </div>
        </Panel>
      )}
      {example !== undefined && (
        <Panel title="Example">
          <Json value={example} label="Example body" />
        </Panel>
      )}
      <Panel title="Replies">
        <div class="body">
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
        </div>
      </Panel>
    </article>
  )
}

/** The request; parts of the path that the caller must choose stay in braces. */
function callOf(operation: Operation): Sendable {
  const isEmulated = !operation.id.startsWith('control:')
  return {
    method: operation.method,
    url: `${location.origin}${operation.path}`,
    ...(isEmulated && { key: keyOf('default') }),
    body: exampleOf(operation),
  }
}
