import {Resvg} from '@resvg/resvg-js'
import {liteAdaptor} from 'mathjax-full/js/adaptors/liteAdaptor.js'
import {RegisterHTMLHandler} from 'mathjax-full/js/handlers/html.js'
import {TeX} from 'mathjax-full/js/input/tex.js'
import {AllPackages} from 'mathjax-full/js/input/tex/AllPackages.js'
import {mathjax} from 'mathjax-full/js/mathjax.js'
import {SVG} from 'mathjax-full/js/output/svg.js'

const adaptor = liteAdaptor()
RegisterHTMLHandler(adaptor)
const typesetter = mathjax.document('', {
  InputJax: new TeX({packages: AllPackages}),
  OutputJax: new SVG({fontCache: 'none'}),
})

/** A formula as PNG, black on white. @param ex height of an x in pixels: 8 is small print, 18 a figure of a page */
export function formulaPicture(latex: string, ex: number): Buffer {
  const svg = adaptor.innerHTML(typesetter.convert(latex, {display: true}) as Parameters<typeof adaptor.innerHTML>[0])
  const pixels = (name: string) => Number(new RegExp(`${name}="([\\d.]+)ex"`).exec(svg)?.[1]) * ex
  const [width, height] = [pixels('width'), pixels('height')]
  const sized = svg
    .replace(/width="[\d.]+ex"/, `width="${width}"`)
    .replace(/height="[\d.]+ex"/, `height="${height}"`)
    .replaceAll('currentColor', 'black')
  return rasterised(`<g transform="translate(${ex} ${ex})">${sized}</g>`, width + 2 * ex, height + 2 * ex)
}

/** Lines of Latin text as PNG, in the typesetter's own letters. @param ex as above */
export function textPicture(lines: readonly string[], ex: number): Buffer {
  const rows = lines.map((line) => `\\text{${line.replace(/[_#%&]/g, '\\$&')}}`)
  return formulaPicture(`\\begin{array}{l}${rows.join('\\\\')}\\end{array}`, ex)
}

/** Lines of text as PNG, in a font of this machine that has their letters. @param size in pixels */
export function fontPicture(lines: readonly string[], size: number): Buffer {
  const escaped = lines.map((line) => line.replaceAll('&', '&amp;').replaceAll('<', '&lt;'))
  const rows = escaped.map((line, at) => `<text x="${size}" y="${size * (2 + 1.5 * at)}">${line}</text>`)
  const longest = Math.max(...lines.map(({length}) => length))
  const body = `<g font-family="Noto Sans CJK SC, Noto Sans SC" font-size="${size}">${rows.join('')}</g>`
  return rasterised(body, size * (longest + 2), size * (2 + 1.5 * lines.length))
}

function rasterised(body: string, width: number, height: number): Buffer {
  const size = `width="${Math.ceil(width)}" height="${Math.ceil(height)}"`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}><rect width="100%" height="100%" fill="white"/>${body}</svg>`
  return new Resvg(svg).render().asPng()
}
