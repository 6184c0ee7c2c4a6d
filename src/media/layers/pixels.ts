/** A picture in memory, four bytes a pixel: red, green, blue, alpha. */
export interface Pixels {
  width: number
  height: number
  bytes: Uint8Array
}

/** One whole number for each pixel of a picture. */
export interface Labels {
  width: number
  height: number
  of: Int32Array
  /** Labels run from 0 to `count - 1`. */
  count: number
}
