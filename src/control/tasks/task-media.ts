import { parse } from 'node:path'
import { outputOf } from '../../families/index.ts'
import type { FileReply } from '../../http/reply.ts'
import { planTransfer } from '../../http/transfer.ts'
import { openTransfer } from '../../media/open-transfer.ts'
import { mediaType, recipeEnding } from '../../media/recipe.ts'
import { viewAt } from '../../tasks/lifecycle.ts'
import type { Task } from '../../tasks/task.ts'
import { nowIn } from '../../worlds/world.ts'
import type { ControlCall } from '../control-endpoint.ts'
import { conflict, notFound } from '../control-error.ts'

/** A file of a task as it was rendered. Reading it does not count as a download and adds no journal entry. Throws 404, and 409 when the task has no files. */
export async function mediaReply(
  task: Task,
  { world, services, params, request }: ControlCall,
): Promise<FileReply> {
  const { status } = viewAt(task, nowIn(world))
  if (status !== 'succeeded') throw conflict(`The task ${task.id} is ${status}: it has no files`)
  const recipe = outputOf(task, params.name ?? '')
  if (!recipe) throw notFound(`The file ${params.name} of the task ${task.id}`)
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
