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

/** The element on the wire. Its addresses are links to the emulator's samples. */
export function presentElement(element: PresetElement, baseUrl: string) {
  const addressed: PresetElement = JSON.parse(
    JSON.stringify(element).replaceAll('{{samples}}', `${baseUrl}/__emulator/samples`),
  )
  return { ...addressed, owned_by: 'kling', status: 'succeed' }
}
