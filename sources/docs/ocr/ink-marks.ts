import {decode, encode} from 'fast-png'

/** Dark marks on a light ground, one byte for each pixel: 1 where it is dark. */
interface Ink {
  width: number
  height: number
  dark: Uint8Array
  /** 1 where the ground is not quite white either: strokes thinner than a pixel leave no more. */
  faint: Uint8Array
}

/** A connected area of dark pixels; the box is half open. */
export interface Mark {
  left: number
  top: number
  right: number
  bottom: number
  /** Dark pixels. */
  area: number
  label: number
}

/** The pixels of a PNG, or undefined for what cannot be decoded. */
export function pixelsOf(png: Uint8Array): Pixels | undefined {
  try {
    return decode(png)
  } catch {
    return undefined
  }
}

type Pixels = ReturnType<typeof decode>

export function inkOf(pixels: Pixels): Ink {
  return inkFrom({width: pixels.width, height: pixels.height, light: lightOf(pixels)})
}

/** How light each pixel is, 0 to 1; what is transparent shows the white of the page. */
function lightOf(image: Pixels): Float32Array {
  const {width, height, data, channels, depth, palette} = image
  const most = depth === 16 ? 65_535 : 255
  const lights = new Float32Array(width * height)
  const value = (at: number) => (data[at] as number) / most
  for (let pixel = 0; pixel < lights.length; pixel += 1) {
    let [light, alpha] = [1, 1]
    if (palette) {
      const [red = 255, green = 255, blue = 255, opacity = 255] = (palette[indexAt(image, pixel)] ?? []) as number[]
      light = (red + green + blue) / 765
      alpha = opacity / 255
    } else if (depth < 8) {
      light = indexAt(image, pixel) / (2 ** depth - 1)
    } else {
      const at = pixel * channels
      light = channels < 3 ? value(at) : (value(at) + value(at + 1) + value(at + 2)) / 3
      if (channels === 2 || channels === 4) alpha = value(at + channels - 1)
    }
    lights[pixel] = 1 - alpha * (1 - light)
  }
  return lights
}

/**
 * Small type is enlarged before it is cut into black and white: strokes of one pixel would fall apart, and neighbours
 * run into each other.
 */
function inkFrom({width, height, light}: {width: number; height: number; light: Float32Array}): Ink {
  const scale = Math.max(1, Math.min(4, Math.floor(Math.sqrt(4_000_000 / (width * height)))))
  const [wide, high] = [width * scale, height * scale]
  const [dark, faint] = [new Uint8Array(wide * high), new Uint8Array(wide * high)]
  const at = (x: number, y: number) =>
    light[Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x))] as number
  for (let y = 0; y < high; y += 1)
    for (let x = 0; x < wide; x += 1) {
      const [sx, sy] = [(x + 0.5) / scale - 0.5, (y + 0.5) / scale - 0.5]
      const [x0, y0] = [Math.floor(sx), Math.floor(sy)]
      const [fx, fy] = [sx - x0, sy - y0]
      const upper = at(x0, y0) * (1 - fx) + at(x0 + 1, y0) * fx
      const lower = at(x0, y0 + 1) * (1 - fx) + at(x0 + 1, y0 + 1) * fx
      const shade = upper * (1 - fy) + lower * fy
      if (shade < 0.7) dark[y * wide + x] = 1
      if (shade < 0.93) faint[y * wide + x] = 1
    }
  return {width: wide, height: high, dark, faint}
}

/** Samples of less than a byte are packed, and each row begins with a byte of its own. */
function indexAt({width, data, depth}: Pixels, pixel: number): number {
  if (depth >= 8) return data[pixel] as number
  const perByte = 8 / depth
  const [row, column] = [Math.floor(pixel / width), pixel % width]
  const byte = data[row * Math.ceil(width / perByte) + Math.floor(column / perByte)] as number
  return (byte >> (8 - depth * ((column % perByte) + 1))) & (2 ** depth - 1)
}

/** Connected areas (eight neighbours), left to right. `labels` says for each pixel which one it belongs to. */
export function marksOf({width, height, dark}: Ink): {marks: Mark[]; labels: Int32Array} {
  const labels = new Int32Array(width * height)
  const marks: Mark[] = []
  const waiting: number[] = []
  for (let start = 0; start < dark.length; start += 1) {
    if (dark[start] === 0 || labels[start] !== 0) continue
    const label = marks.length + 1
    const mark: Mark = {left: width, top: height, right: 0, bottom: 0, area: 0, label}
    labels[start] = label
    waiting.push(start)
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      const [x, y] = [at % width, Math.floor(at / width)]
      mark.area += 1
      mark.left = Math.min(mark.left, x)
      mark.right = Math.max(mark.right, x + 1)
      mark.top = Math.min(mark.top, y)
      mark.bottom = Math.max(mark.bottom, y + 1)
      for (let below = Math.max(0, y - 1); below <= Math.min(height - 1, y + 1); below += 1)
        for (let right = Math.max(0, x - 1); right <= Math.min(width - 1, x + 1); right += 1) {
          const next = below * width + right
          if (dark[next] === 1 && labels[next] === 0) {
            labels[next] = label
            waiting.push(next)
          }
        }
    }
    marks.push(mark)
  }
  // A speck of a pixel or two is dirt.
  return {marks: marks.filter(({area}) => area > 6).sort((a, b) => a.left - b.left), labels}
}

/** A picture of these marks alone, scaled for recognition: their row is about 40 pixels high, with a white margin. */
export function pictureOf(marks: readonly Mark[], labels: Int32Array, width: number): Uint8Array {
  const left = Math.min(...marks.map((mark) => mark.left))
  const right = Math.max(...marks.map((mark) => mark.right))
  const top = Math.min(...marks.map((mark) => mark.top))
  const bottom = Math.max(...marks.map((mark) => mark.bottom))
  const scale = Math.max(0.2, Math.min(8, 40 / Math.max(bottom - top, (right - left) / 60)))
  const border = 16
  const [wide, high] = [Math.round((right - left) * scale), Math.round((bottom - top) * scale)]
  const size = {width: wide + 2 * border, height: high + 2 * border}
  const own = new Set(marks.map(({label}) => label))
  const data = new Uint8Array(size.width * size.height).fill(255)
  const inkAt = (x: number, y: number) =>
    x >= left && x < right && y >= top && y < bottom && own.has(labels[y * width + x] as number) ? 1 : 0
  for (let y = 0; y < high; y += 1)
    for (let x = 0; x < wide; x += 1) {
      // Between the pixels' centres the ink is interpolated: steps would look like serifs.
      const [sx, sy] = [(x + 0.5) / scale + left - 0.5, (y + 0.5) / scale + top - 0.5]
      const [x0, y0] = [Math.floor(sx), Math.floor(sy)]
      const [fx, fy] = [sx - x0, sy - y0]
      const upper = inkAt(x0, y0) * (1 - fx) + inkAt(x0 + 1, y0) * fx
      const lower = inkAt(x0, y0 + 1) * (1 - fx) + inkAt(x0 + 1, y0 + 1) * fx
      data[(y + border) * size.width + x + border] = Math.round(255 * (1 - (upper * (1 - fy) + lower * fy)))
    }
  return encode({...size, data, channels: 1, depth: 8})
}
