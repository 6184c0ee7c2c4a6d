import { paper } from '../drawing/palette.ts'

/** The room in a sky, in pixels of the shown picture. */
export interface Sky {
  isTall: boolean
  /** The place where the caption may begin, and its greatest width. */
  room: { left: number; top: number; width: number }
  clock: { left: number; top: number; high: number }
  /** The row where the sky ends. */
  still: number
  width: number
  margin: number
  unit: number
}

const most = 9

/** References as small framed pictures: under the time code at the right, in tall pictures in a row under the caption. */
export async function framedSvg(
  pictures: readonly Buffer[],
  sky: Sky,
): Promise<{ svg: string; captionWidth: number; captionBottom: number }> {
  const { room, unit, still } = sky
  const bottom = still - unit * 1.2
  if (pictures.length === 0) return { svg: '', captionWidth: room.width, captionBottom: bottom }
  const shown = pictures.slice(0, most)
  const area = areaOf(sky)
  const grid = gridOf(shown.length, area, unit)
  const svg = await Promise.all(shown.map((picture, i) => frameSvg(picture, cellAt(i, grid, area), unit)))
  return {
    svg: svg.join(''),
    captionWidth: sky.isTall ? room.width : Math.min(room.width, area.left - room.left - unit * 3),
    captionBottom: sky.isTall ? area.top - unit * 1.5 : bottom,
  }
}

export interface Area {
  left: number
  top: number
  width: number
  height: number
}

function areaOf({ isTall, room, clock, still, width, margin, unit }: Sky): Area {
  if (isTall) {
    const height = Math.min(unit * 20, (still - room.top) * 0.42)
    return { left: margin, top: still - height - unit * 2, width: width - 2 * margin, height }
  }
  const top = clock.top + clock.high + unit * 2
  const wide = Math.max(width * 0.36, width - margin - clock.left)
  return {
    left: width - margin - wide,
    top,
    width: wide,
    height: Math.max(still - top - unit * 1.5, unit * 6),
  }
}

interface Grid {
  columns: number
  side: number
  gap: number
}

/** The columns that make the pictures largest. */
function gridOf(count: number, { width, height }: Area, unit: number): Grid {
  const gap = unit * 1.4
  const grids = Array.from({ length: count }, (_, i) => {
    const columns = i + 1
    const rows = Math.ceil(count / columns)
    return {
      columns,
      gap,
      side: Math.min(
        (width - gap * (columns - 1)) / columns / 1.25,
        (height - gap * (rows - 1)) / rows,
        unit * 20,
      ),
    }
  })
  return grids.reduce((best, grid) => (grid.side > best.side ? grid : best))
}

function cellAt(i: number, { columns, side, gap }: Grid, area: Area): Area {
  const [column, row] = [i % columns, Math.floor(i / columns)]
  const [width, height] = [Math.round(side * 1.25), Math.round(side)]
  return {
    left: Math.round(area.left + area.width - (columns - column) * (width + gap) + gap),
    top: Math.round(area.top + row * (height + gap)),
    width,
    height,
  }
}

/** A picture with a white edge, cut to fit. */
export async function frameSvg(
  picture: Buffer,
  { left, top, width, height }: Area,
  unit: number,
): Promise<string> {
  const { default: sharp } = await import('sharp')
  const line = Math.max(2, Math.round(unit * 0.45))
  const [wide, high] = [width - 2 * line, height - 2 * line]
  const data = await sharp(picture)
    .rotate()
    .resize(wide, high, { fit: 'cover' })
    .flatten({ background: paper })
    .jpeg({ quality: 90 })
    .toBuffer()
  return `<rect x="${left + line / 2}" y="${top + line}" width="${width}" height="${height}" fill="#000" fill-opacity=".22"/>
    <rect x="${left}" y="${top}" width="${width}" height="${height}" fill="#fff"/>
    <image x="${left + line}" y="${top + line}" width="${wide}" height="${high}" href="data:image/jpeg;base64,${data.toString('base64')}"/>`
}
