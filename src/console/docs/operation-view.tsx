import type { Sendable } from '../parts/copy-as.ts'
import { CurlButton } from '../parts/copy-button.tsx'
import { Icon } from '../parts/icons.tsx'
import { Json } from '../parts/json.tsx'
import { Panel } from '../parts/panel.tsx'
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
function callOf(operation: DocOperation): Sendable {
  const isEmulated = !operation.key.startsWith('control:')
  return {
    method: operation.method,
    url: `${location.origin}${operation.path}`,
    ...(isEmulated && { key: keyOf('default') }),
    body: exampleOf(operation),
  }
}
