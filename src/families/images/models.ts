/** The models of the family: one, without variants. */
export const models: Readonly<Record<string, { title: string }>> = { model_image: { title: 'image' } }
