import { checkShape } from '../../../http/validate.ts'
import type { Call } from '../../../pipeline/endpoint.ts'
import type { Random } from '../../../worlds/random.ts'
import type { Task } from '../../../worlds/task.ts'
import type { Order } from '../../order.ts'
import { admitTask } from '../admit.ts'
import { snowflake } from '../ids.ts'
import { readOptions } from '../rules.ts'
import type { PresetElement } from './element.ts'
import { presetToken } from './presets.ts'
import { type PresetBody, presetBody } from './schema.ts'

/** Checks a preset subject. Only the control API makes them; no public endpoint does. */
export function makePreset(call: Call): Order {
  checkShape(presetBody, call.body)
  const body = call.body as PresetBody
  const { externalId } = readOptions(call, body)
  return { admit: () => store(call, body, externalId) }
}

function store(call: Call, body: PresetBody, externalId: string | undefined): Task {
  return admitTask(call, externalId, random => ({
    kind: 'k.preset',
    model: 'preset',
    job: { kind: 'preset', element: elementFrom(body, random) },
    runningMs: [3000, 6000],
    charge: { reserved: 0, settled: 0 },
    id: (idRandom, now) => presetToken(call.world, snowflake(idRandom, now)),
  }))
}

const standardImages = { frontal_image: '{{samples}}/square.png' }

function elementFrom(body: PresetBody, random: Random): PresetElement {
  const id = random.integer(100_000_000_000_000, 999_999_999_999_999)
  const { element_video_list: videos, element_image_list: images } = body
  return {
    element_id: id,
    element_name: body.element_name ?? `Subject ${id % 1000}`,
    element_description: body.element_description ?? 'A preset subject made for this world.',
    reference_type: videos ? 'video_refer' : 'image_refer',
    ...(videos ? { element_video_list: videos } : { element_image_list: images ?? standardImages }),
    tag_list: [],
  } as PresetElement
}
