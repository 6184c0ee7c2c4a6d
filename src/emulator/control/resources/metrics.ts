import type { Registry } from 'prom-client'
import type { Services } from '../../pipeline/services.ts'
import { viewAt } from '../../tasks/lifecycle.ts'
import { nowIn, type World } from '../../worlds/world.ts'
import { endpoints } from '../control-endpoint.ts'

const prefix = 'gateway_emulator_'

/** Metrics for Prometheus, counted when they are requested. */
export const metricEndpoints = endpoints({
  'GET /metrics': {
    summary: 'Metrics in the text format of Prometheus, for all worlds or for the one in the path',
    async handle({ world, services, request }) {
      const isOfOne = request.url?.startsWith('/__emulator/worlds/') ?? false
      const registry = await figures(isOfOne ? [world] : services.worlds.list(), services)
      return {
        status: 200,
        headers: { 'Content-Type': registry.contentType },
        body: await registry.metrics(),
      }
    },
  },
})

async function figures(worlds: readonly World[], { library }: Services): Promise<Registry> {
  const { default: prometheus } = await import('prom-client')
  const { Counter, Gauge, Registry } = prometheus
  const registry = new Registry()
  const registers = [registry]
  const requests = new Counter({
    name: `${prefix}requests_total`,
    help: 'Requests of the emulated API, by operation and status',
    labelNames: ['operation', 'status'],
    registers,
  })
  const tasks = new Gauge({
    name: `${prefix}tasks`,
    help: 'Tasks by family and status, removed records included',
    labelNames: ['family', 'status'],
    registers,
  })
  const gauge = (name: string, help: string) => new Gauge({ name: `${prefix}${name}`, help, registers })
  const entries = gauge('journal_entries', 'Entries in the journals')
  const bytes = gauge('journal_bytes', 'Bytes in the journals, roughly')
  const snapshots = gauge('snapshots', 'Snapshots kept')
  gauge('worlds', 'Open worlds').set(worlds.length)
  new Counter({ name: `${prefix}renders_total`, help: 'Media files rendered', registers }).inc(
    library.renders(),
  )
  for (const world of worlds) {
    for (const [key, count] of world.journal.counts) {
      const [operation = '', status = ''] = key.split(' ')
      requests.inc({ operation, status }, count)
    }
    for (const [family, statuses] of tasksOf(world)) {
      for (const [status, count] of statuses) tasks.inc({ family, status }, count)
    }
    entries.inc(world.journal.size)
    bytes.inc(world.journal.bytes)
    snapshots.inc(world.state.snapshots.size)
  }
  return registry
}

function tasksOf(world: World): Map<string, Map<string, number>> {
  const now = nowIn(world)
  const families = new Map<string, Map<string, number>>()
  for (const task of world.state.tasks.values()) {
    const statuses = families.get(task.family) ?? new Map<string, number>()
    families.set(task.family, statuses)
    const { status } = viewAt(task, now)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  return families
}
