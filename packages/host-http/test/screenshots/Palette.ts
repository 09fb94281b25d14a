import { deflateSync, inflateSync } from "node:zlib"

/*
 * Chromium writes a picture of a page with eight bits of each colour. A page has few colours and the shades between
 * them: with a palette of 32 its picture is a quarter of the size, and looks the same.
 */

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const COLOURS_MAX = 32

interface Picture {
  readonly width: number
  readonly height: number
  /** Three bytes a pixel. */
  readonly rgb: Uint8Array
}

const chunksOf = (png: Buffer): ReadonlyArray<readonly [type: string, data: Buffer]> => {
  const chunks: Array<readonly [string, Buffer]> = []
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at)
    chunks.push([png.toString("latin1", at + 4, at + 8), png.subarray(at + 8, at + 8 + length)])
    at += length + 12
  }
  return chunks
}

/** The predictor of the PNG specification (§9.4). */
const paeth = (left: number, above: number, corner: number): number => {
  const estimate = left + above - corner
  const [a, b, c] = [Math.abs(estimate - left), Math.abs(estimate - above), Math.abs(estimate - corner)]
  return a <= b && a <= c ? left : b <= c ? above : corner
}

const predicted = (filter: number, left: number, above: number, corner: number): number => {
  switch (filter) {
    case 0:
      return 0
    case 1:
      return left
    case 2:
      return above
    case 3:
      return (left + above) >> 1
    case 4:
      return paeth(left, above, corner)
    default:
      throw new Error(`no filter ${filter}`)
  }
}

/** Reads what Chromium writes: eight bits, RGB or RGBA, not interlaced. */
const read = (png: Buffer): Picture => {
  const chunks = chunksOf(png)
  const head = chunks[0]?.[1] ?? Buffer.alloc(13)
  const [width, height, bits, kind, interlaced] = [
    head.readUInt32BE(0),
    head.readUInt32BE(4),
    head[8] ?? 0,
    head[9] ?? 0,
    head[12] ?? 0
  ]
  if (bits !== 8 || (kind !== 2 && kind !== 6) || interlaced !== 0)
    throw new Error("not a picture as Chromium writes it")
  const size = kind === 6 ? 4 : 3
  const stride = width * size
  const raw = inflateSync(Buffer.concat(chunks.filter(([type]) => type === "IDAT").map(([, data]) => data)))
  const pixels = new Uint8Array(stride * height)
  const rgb = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)] ?? 0
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x
      const left = x >= size ? (pixels[at - size] ?? 0) : 0
      const above = y > 0 ? (pixels[at - stride] ?? 0) : 0
      const corner = x >= size && y > 0 ? (pixels[at - stride - size] ?? 0) : 0
      pixels[at] = (raw[y * (stride + 1) + 1 + x] ?? 0) + predicted(filter, left, above, corner)
    }
    for (let x = 0; x < width; x++) {
      for (let part = 0; part < 3; part++) rgb[(y * width + x) * 3 + part] = pixels[y * stride + x * size + part] ?? 0
    }
  }
  return { width, height, rgb }
}

const distance = (a: number, b: number): number => {
  const [red, green, blue] = [(a >> 16) - (b >> 16), ((a >> 8) & 255) - ((b >> 8) & 255), (a & 255) - (b & 255)]
  return red * red + green * green + blue * blue
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let value = n
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value >>> 0
})

const crc = (data: Buffer): number => {
  let value = 0xffffffff
  for (const byte of data) value = (CRC_TABLE[(value ^ byte) & 255] ?? 0) ^ (value >>> 8)
  return (value ^ 0xffffffff) >>> 0
}

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc(body), body.length + 4)
  return framed
}

/** The same picture with at most 32 colours: the commonest stay, each other one becomes the nearest of them. */
export const withPalette = (png: Buffer): Buffer => {
  const { height, rgb, width } = read(png)
  const colours = new Uint32Array(width * height)
  const counts = new Map<number, number>()
  for (let at = 0; at < colours.length; at++) {
    const colour = ((rgb[at * 3] ?? 0) << 16) | ((rgb[at * 3 + 1] ?? 0) << 8) | (rgb[at * 3 + 2] ?? 0)
    colours[at] = colour
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  const palette = [...counts]
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, COLOURS_MAX)
    .map(([colour]) => colour)
  const indexes = new Map(palette.map((colour, index) => [colour, index]))
  const indexOf = (colour: number): number => {
    const known = indexes.get(colour)
    if (known !== undefined) return known
    let nearest = 0
    for (let index = 1; index < palette.length; index++) {
      if (distance(palette[index] ?? 0, colour) < distance(palette[nearest] ?? 0, colour)) nearest = index
    }
    indexes.set(colour, nearest)
    return nearest
  }
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = indexOf(colours[y * width + x] ?? 0)
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head[8] = 8
  head[9] = 3
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", head),
    chunk("PLTE", Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]))),
    chunk("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk("IEND", Buffer.alloc(0))
  ])
}
