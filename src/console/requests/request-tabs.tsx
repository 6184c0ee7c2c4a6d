import type { RequestView } from '../../kits/views.ts'
import { Json } from '../parts/json.tsx'
import { Tabs } from '../parts/tabs.tsx'

/** What was sent and what was answered. */
export function RequestTabs({
  call: { status, request, response },
}: {
  call: Pick<RequestView, 'status' | 'request' | 'response'>
}) {
  const headers = { request: request.headers, reply: response.headers }
  return (
    <Tabs
      label="Request and reply"
      tabs={[
        { name: 'Reply', content: () => <Json value={response.body} label="Reply body" /> },
        { name: 'Request', content: () => <Json value={request.body} label="Request body" /> },
        { name: 'Headers', content: () => <Json value={headers} label="Headers" /> },
      ]}
      first={status >= 400 || request.body === null ? 'Reply' : 'Request'}
    />
  )
}
