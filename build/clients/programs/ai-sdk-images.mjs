import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateImage } from 'ai'

const gateway = createOpenAICompatible({
  name: 'gateway',
  baseURL: 'https://gateway.example/api/v3',
  apiKey: 'a key',
})
await generateImage({ model: gateway.imageModel('model_image'), prompt: 'a lighthouse' })
