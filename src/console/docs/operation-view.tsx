import { Icon } from '../parts/icons.tsx'
import { to } from '../store/address.ts'
import { type DocOperation, pathFor } from './document.ts'
import { Prose } from './prose.tsx'
import { SchemaView } from './schema-view.tsx'
import { TryIt } from './try-it.tsx'

/** One operation: what it is, what it takes and answers, and a request to send. */
export function OperationView({ operation }: { operation: DocOperation }) {
  const { method, summary, description, body, replies } = operation
  return (
    <article class="operation">
      <header class="page-title">
        <h2 class="row">
          <a class="button plain small icon back" href={to('docs')} aria-label="All operations">
            <Icon name="back" />
          </a>
          {summary}
        </h2>
        <p class="mono path">
          <span class={`method ${method.toLowerCase()}`}>{method}</span> {pathFor(operation)}
        </p>
        {description !== '' && (
          <p class="quiet">
            <Prose text={description} />
          </p>
        )}
      </header>
      <TryIt operation={operation} />
      {body && (
        <section class="panel" aria-label="Request body">
          <header>
            <h3>Request body</h3>
          </header>
          <div class="body">
            <SchemaView schema={body} />
          </div>
        </section>
      )}
      <section class="panel" aria-label="Replies">
        <header>
          <h3>Replies</h3>
        </header>
        <ul class="body replies">
          {replies.map(reply => (
            <li key={reply.status}>
              <p>
                <strong class="mono">{reply.status}</strong> <span class="quiet">{reply.description}</span>
              </p>
              {reply.schema && <SchemaView schema={reply.schema} kind="received" />}
            </li>
          ))}
        </ul>
      </section>
    </article>
  )
}
