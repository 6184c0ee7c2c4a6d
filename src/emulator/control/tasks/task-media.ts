import { parse } from 'node:path'
import { mediaType, openTransfer, posterOf, type Recipe, recipeEnding } from '../../../media/index.ts'
import { familyOf, outputOf } from '../../families/index.ts'
import { planTransfer } from '../../http/transfer.ts'
import type { FileReply } from '../../pipeline/reply.ts'
import { viewAt } from '../../tasks/lifecycle.ts'
import type { Task } from '../../worlds/task.ts'
import { nowIn } from '../../worlds/world.ts'
import type { ControlCall } from '../control-endpoint.ts'
import { conflict, notFound } from '../control-error.ts'

/** A file of a task as it was rendered. Reading it does not count as a download and adds no journal entry. Throws 404, and 409 when the task has no files. */
export async function mediaReply(task: Task, call: ControlCall): Promise<FileReply> {
  checkSucceeded(task, call)
  const recipe = outputOf(task, call.params.name ?? '')
  if (!recipe) throw notFound(`The file ${call.params.name} of the task ${task.id}`)
  return await fileReply(recipe, call)
}

/** A small picture of a task's result, for lists. Throws 404 for sounds and texts, and 409 when the task has no files. */
export async function posterReply(task: Task, call: ControlCall): Promise<FileReply> {
  checkSucceeded(task, call)
  const recipe = posterOf(Object.values(familyOf(task.family).outputs(task)))
  if (!recipe) throw notFound(`A picture of the task ${task.id}`)
  return await fileReply(recipe, call)
}

function checkSucceeded(task: Task, { world }: ControlCall): void {
  const { status } = viewAt(task, nowIn(world))
  if (status !== 'succeeded') throw conflict(`The task ${task.id} is ${status}: it has no files`)
}

async function fileReply(recipe: Recipe, { services, request }: ControlCall): Promise<FileReply> {
  const file = await services.library.file(recipe)
  const transfer = planTransfer(request, {
    file,
    size: await services.library.files.sizeOf(file),
    etag: `"${parse(file).name}"`,
    headers: { 'Content-Type': mediaType(recipeEnding(recipe)), 'Cache-Control': 'private, no-cache' },
  })
  const payload = await openTransfer(transfer, services.library.files)
  return { kind: 'file', status: transfer.status, headers: transfer.headers, payload }
}
