import { aboutEndpoints } from './about.ts'
import { accountEndpoints } from './accounts.ts'
import { assetEndpoints } from './assets.ts'
import { clockEndpoints } from './clock.ts'
import { type ControlEndpoint, done } from './control-endpoint.ts'
import { eventEndpoints } from './events.ts'
import { exampleEndpoints } from './examples.ts'
import { failureEndpoints } from './failures.ts'
import { findingEndpoints } from './findings.ts'
import { injectEndpoints } from './inject.ts'
import { ledgerEndpoints } from './ledger.ts'
import { mcpEndpoints } from './mcp.ts'
import { metricEndpoints } from './metrics.ts'
import { controlDocument } from './openapi.ts'
import { requestEndpoints } from './requests.ts'
import { scenarioEndpoints } from './scenarios.ts'
import { snapshotEndpoints } from './snapshots.ts'
import { stateEndpoints } from './state.ts'
import { storyEndpoints } from './story.ts'
import { taskActionEndpoints } from './task-actions.ts'
import { taskMediaEndpoints } from './task-media.ts'
import { taskEndpoints } from './tasks.ts'
import { verifyEndpoints } from './verify.ts'
import { worldEndpoints } from './worlds.ts'

/** The whole control API (interface, "Control API"). */
export const controlEndpoints: readonly ControlEndpoint[] = [
  {
    method: 'GET',
    paths: ['/openapi.control.json'],
    summary: 'The control API as OpenAPI 3.1',
    handle: () => done(controlDocument(controlEndpoints)),
  },
  ...aboutEndpoints,
  ...exampleEndpoints,
  ...worldEndpoints,
  ...clockEndpoints,
  ...scenarioEndpoints,
  ...injectEndpoints,
  ...taskEndpoints,
  ...taskActionEndpoints,
  ...storyEndpoints,
  ...taskMediaEndpoints,
  ...requestEndpoints,
  ...verifyEndpoints,
  ...failureEndpoints,
  ...findingEndpoints,
  ...eventEndpoints,
  ...metricEndpoints,
  ...mcpEndpoints,
  ...snapshotEndpoints,
  ...stateEndpoints,
  ...ledgerEndpoints,
  ...accountEndpoints,
  ...assetEndpoints,
]
