import sharp, { type Sharp } from 'sharp'

/** A picture that is drawn as SVG. */
export function svgPicture(body: string, { width, height }: { width: number; height: number }): Sharp {
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">`
  return sharp(Buffer.from(`${head}${body}</svg>`))
}
