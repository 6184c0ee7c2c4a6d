import { createAlibaba } from '@ai-sdk/alibaba'
import { experimental_generateVideo as generateVideo } from 'ai'

const [url, apiKey] = ['https://gateway.example', 'a key']
const model = createAlibaba({ videoBaseURL: url, apiKey }).video('wan3.0-video')
await generateVideo({ model, prompt: 'a lighthouse', aspectRatio: '16:9', duration: 4 })
