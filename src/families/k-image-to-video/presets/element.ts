import { type RecordSchema, text } from '../../../worlds/record-values.ts'

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

const images = {
  type: 'array',
  maxItems: 1000,
  items: { type: 'object', required: ['image_url'], properties: { image_url: { type: 'string' } } },
} as const

const videos = {
  type: 'array',
  maxItems: 1000,
  items: { type: 'object', required: ['video_url'], properties: { video_url: { type: 'string' } } },
} as const

const tags = {
  type: 'array',
  maxItems: 1000,
  items: {
    type: 'object',
    required: ['id', 'name', 'description'],
    additionalProperties: { type: 'string' },
  },
} as const

/** The schema of a subject in data files and state documents. */
export const elementSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['element_id', 'element_name', 'element_description', 'reference_type', 'tag_list'],
  properties: {
    element_id: { type: 'integer' },
    element_name: text,
    element_description: text,
    reference_type: { enum: ['image_refer', 'video_refer'] },
    element_image_list: {
      type: 'object',
      required: ['frontal_image'],
      properties: { frontal_image: { type: 'string' }, refer_images: images },
    },
    element_video_list: { type: 'object', required: ['refer_videos'], properties: { refer_videos: videos } },
    tag_list: tags,
  },
} as const satisfies RecordSchema<PresetElement>

/** The element on the wire. Its addresses are links to the emulator's samples. */
export function presentElement(element: PresetElement, baseUrl: string) {
  const addressed: PresetElement = JSON.parse(
    JSON.stringify(element).replaceAll('{{samples}}', `${baseUrl}/__emulator/samples`),
  )
  return { ...addressed, owned_by: 'kling', status: 'succeed' }
}
