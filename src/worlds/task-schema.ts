import { accountName, amount, count, id, measure, ms, record, requiredOf, text } from './record-values.ts'
import {
  type Charge,
  type MediaFault,
  mediaFaultKinds,
  type Plan,
  type Status,
  statuses,
  type Task,
  type TaskError,
} from './task.ts'

const errorFields = { code: text, message: text }

const outcomeSchema = {
  ...record<{ kind: string } & Partial<TaskError>>(
    { kind: { enum: ['succeeded', 'failed', 'cancelled', 'never'] } },
    errorFields,
  ),
  ...requiredOf('failed', 'code', 'message'),
}

const planSchema = record<Plan>(
  { startsAt: ms, endsAt: ms, outcome: outcomeSchema },
  { expiresAt: ms, goneAt: ms, slotAt: ms },
)

const factSchema = {
  ...record<{ kind: string; at: number; status?: Status; error?: TaskError }>(
    { kind: { enum: ['cancelled', 'deleted', 'forced', 'link_expired'] }, at: ms },
    {
      status: { enum: statuses.filter(status => status !== 'queued') },
      error: record<TaskError>(errorFields),
    },
  ),
  ...requiredOf('forced', 'status'),
}

/** The schema of a task in data files and state documents. */
export const taskSchema = record<Task>(
  {
    id,
    family: id,
    kind: id,
    account: accountName,
    model: text,
    createdAt: ms,
    requestId: id,
    request: text,
    // Its family has a schema for each kind of task.
    job: { type: 'object' },
    seed: count,
    plan: planSchema,
    facts: { type: 'array', maxItems: 100_000, items: factSchema },
    charge: record<Charge>({ reserved: amount, settled: amount }),
  },
  {
    unread: { type: 'array', items: text },
    media: record<MediaFault>({ kind: { enum: mediaFaultKinds } }, { value: measure }),
    label: text,
    rule: text,
    notes: { type: 'array', items: text },
    externalId: text,
  },
)
