import OpenAI from 'openai'

const client = new OpenAI({ baseURL: 'https://gateway.example/api/v3', apiKey: 'a key' })
const { data } = await client.images.generate({ model: 'model_image', prompt: 'a lighthouse' })
if (!data?.length) throw new Error('no picture')
