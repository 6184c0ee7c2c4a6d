import { record, text } from '../../../worlds/record-values.ts'

/** A subject as the preset list shows it (upstream's names). Addresses may start with {{samples}}. */
export interface PresetElement {
  element_id: number
  element_name: string
  element_description: string
  reference_type: 'image_refer' | 'video_refer'
  element_image_list?: { frontal_image: string; refer_images?: { image_url: string }[] }
  element_video_list?: { refer_videos: { video_url: string }[] }
  tag_list: { id: string; name: string; description: string }[]
}

function listOf(item: object) {
  return { type: 'array', maxItems: 1000, items: item } as const
}

/** An object with this text, and whatever else its author wrote. */
function having(name: string) {
  return { type: 'object', required: [name], properties: { [name]: { type: 'string' } } } as const
}

/** The schema of a subject in data files and state documents. */
export const elementSchema = record<PresetElement>(
  {
    element_id: { type: 'integer' },
    element_name: text,
    element_description: text,
    reference_type: { enum: ['image_refer', 'video_refer'] },
    tag_list: listOf({
      type: 'object',
      required: ['id', 'name', 'description'],
      additionalProperties: { type: 'string' },
    }),
  },
  {
    element_image_list: {
      type: 'object',
      required: ['frontal_image'],
      properties: { frontal_image: { type: 'string' }, refer_images: listOf(having('image_url')) },
    },
    element_video_list: {
      type: 'object',
      required: ['refer_videos'],
      properties: { refer_videos: listOf(having('video_url')) },
    },
  },
)

/** The element on the wire. Its addresses are links to the emulator's samples. */
export function presentElement(element: PresetElement, baseUrl: string) {
  const addressed: PresetElement = JSON.parse(
    JSON.stringify(element).replaceAll('{{samples}}', `${baseUrl}/__emulator/samples`),
  )
  return { ...addressed, owned_by: 'kling', status: 'succeed' }
}
