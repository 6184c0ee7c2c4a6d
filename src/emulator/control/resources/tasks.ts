import { realTime } from '../../worlds/clock.ts'
import type { Task } from '../../worlds/task.ts'
import { type ControlCall, closed, done, endpoints, listed } from '../control-endpoint.ts'
import { noSuchTask } from '../control-error.ts'
import { storyReply } from '../story/story.ts'
import { makeTask, type TaskRequest, taskRequestSchema } from '../tasks/make-task.ts'
import {
  type ForceBody,
  forced,
  mediaReply,
  posterReply,
  type TaskFilter,
  taskLine,
  taskPage,
  taskView,
  withExpiredLink,
} from '../tasks/task-view.ts'

/** The tasks of all accounts of a world, removed records included. Some of these calls do what the emulated API cannot. */
export const taskEndpoints = endpoints({
  'GET /tasks': {
    summary: 'Tasks, newest first',
    query: {
      family: { type: 'string' },
      status: { type: 'string' },
      account: { type: 'string' },
      search: {
        type: 'string',
        description:
          'Words; all of them are in the prompt, whatever its length, or in id, model, kind or label.',
      },
      detail: {
        type: 'string',
        enum: ['full', 'line'],
        default: 'full',
        description: 'line: only what a bar on a time line needs.',
      },
      limit: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
      cursor: { type: 'string' },
    },
    handle(call) {
      const query = call.query as unknown as TaskFilter & { detail: 'full' | 'line' }
      const { items, next } = taskPage(call.world, query)
      return listed(
        items.map(task =>
          query.detail === 'line' ? taskLine(call.world, task, call.services.options) : taskView(call, task),
        ),
        next === undefined ? {} : { next_cursor: next },
      )
    },
  },
  'POST /tasks': {
    opens: true,
    example: { body: { family: 'k', kind: 'k.avatar', plan: { running: '20s' } } },
    summary: 'Make a task, also of a kind without a public endpoint',
    body: taskRequestSchema,
    async handle(call) {
      return done(taskView(call, await makeTask(call, call.body as TaskRequest)), 201)
    },
  },
  'GET /tasks/:id': {
    summary: 'One task',
    handle: call => done(taskView(call, taskNamed(call))),
  },
  'GET /tasks/:id/story': {
    summary: 'What happened to a task, in order, and what comes next and why',
    handle: call =>
      storyReply(call.world, taskNamed(call), { ...call.services, wallMs: realTime.elapsedMs() }),
  },
  'POST /tasks/:id/force': {
    example: { body: { status: 'failed', error: { code: 'InternalServiceError' } } },
    summary: 'Set the state of a task now, in the words of its family',
    body: closed(
      {
        status: { type: 'string', minLength: 1 },
        error: closed({ code: { type: 'string', minLength: 1 }, message: { type: 'string' } }),
      },
      ['status'],
    ),
    handle: call => done(taskView(call, forced(call.world, taskNamed(call), call.body as ForceBody))),
  },
  'POST /tasks/:id/expire-link': {
    summary: 'Expire the links to a finished task’s files now',
    body: { type: 'object' },
    bodyOptional: true,
    handle: call => done(taskView(call, withExpiredLink(call.world, taskNamed(call)))),
  },
  'GET /tasks/:id/media/:name': {
    summary:
      'A file of a succeeded task, whole, even when its link has expired; does not count as a download',
    query: {
      as: {
        type: 'string',
        enum: ['made', 'client'],
        default: 'made',
        description: 'client: with the fault of the task’s files, such as truncated.',
      },
    },
    handle: call => mediaReply(taskNamed(call), call),
  },
  'GET /tasks/:id/poster': {
    summary: 'A small picture of the result of a succeeded task; does not count as a download',
    handle: call => posterReply(taskNamed(call), call),
  },
})

/** The task that the path names, of any account. Throws 404. */
function taskNamed({ world, services, params: { id = '' } }: ControlCall): Task {
  const task = world.state.tasks.get(id)
  if (!task) throw noSuchTask(id, services)
  return task
}
