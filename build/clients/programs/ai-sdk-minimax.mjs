import { createMiniMax } from '@ai-sdk/minimax'
import { experimental_generateVideo as generateVideo } from 'ai'

const [url, apiKey] = ['https://gateway.example', 'a key']
const model = createMiniMax({ videoBaseURL: url, apiKey }).video('MiniMax-H3')
await generateVideo({ model, prompt: 'a lighthouse', aspectRatio: '16:9', duration: 5 })
