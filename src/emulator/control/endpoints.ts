import { type ControlEndpoint, done, endpoints } from './control-endpoint.ts'
import { controlDocument } from './openapi.ts'
import { aboutEndpoints, failureEndpoints, mcpEndpoints, metricEndpoints } from './resources/about.ts'
import { accountEndpoints, ledgerEndpoints } from './resources/accounts.ts'
import { assetEndpoints } from './resources/assets.ts'
import { clockEndpoints } from './resources/clock.ts'
import { eventEndpoints } from './resources/events.ts'
import { findingEndpoints, requestEndpoints, traceEndpoints } from './resources/requests.ts'
import { injectEndpoints, scenarioEndpoints } from './resources/scenarios.ts'
import { snapshotEndpoints } from './resources/snapshots.ts'
import { stateEndpoints } from './resources/state.ts'
import { taskEndpoints } from './resources/tasks.ts'
import { undoEndpoints } from './resources/undo.ts'
import { worldEndpoints } from './resources/worlds.ts'

/** The whole control API. */
export const controlEndpoints: readonly ControlEndpoint[] = [
  ...endpoints({
    'GET /openapi.control.json': {
      summary: 'The control API as OpenAPI 3.1',
      handle: ({ baseUrl }) => done(controlDocument(controlEndpoints, baseUrl)),
    },
  }),
  ...aboutEndpoints,
  ...worldEndpoints,
  ...clockEndpoints,
  ...scenarioEndpoints,
  ...injectEndpoints,
  ...taskEndpoints,
  ...requestEndpoints,
  ...failureEndpoints,
  ...findingEndpoints,
  ...traceEndpoints,
  ...eventEndpoints,
  ...metricEndpoints,
  ...mcpEndpoints,
  ...snapshotEndpoints,
  ...stateEndpoints,
  ...undoEndpoints,
  ...ledgerEndpoints,
  ...accountEndpoints,
  ...assetEndpoints,
]
