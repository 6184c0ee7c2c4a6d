/** The models of the family. There is one, and it has no variants. */
export const models: Readonly<Record<string, { title: string }>> = { model_image: { title: 'image' } }
