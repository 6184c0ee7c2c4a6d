import express from 'express'

/** Files by the `send` package, as Express serves them. */
const app = express()
app.disable('x-powered-by')
app.use(express.static(process.env.FOLDER ?? '.'))
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(
    `${JSON.stringify({ event: 'ready', url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` })}\n`,
  )
})
