/** A product line by the name that the vendor's Markdown markers use, and how its pages write it. */
export interface Product {
  marker: string
  /** Matches the product in a support list or table, and no other product. */
  name: RegExp
  /**
   * Matches titles and paths of pages about what the product does not have; such pages often carry no support section.
   */
  lacks: RegExp
}

export const products: Record<string, Product> = {
  '910b': {
    marker: '910b',
    name: /Atlas\s*A2\s*(?:训练|推理|Training|Inference)|Atlas\s*A2\s*$|Atlas\s*A2\s*[|：:]|Ascend\s*910B/i,
    lacks: /SIMT|VF性能|VF融合|Reg矢量|RegTensor|MaskReg|3510|Tensor-?API|950/i,
  },
  A3: {
    marker: 'A3',
    name: /Atlas\s*A3\s*(?:训练|推理|Training|Inference)|Atlas\s*A3\s*$|Atlas\s*A3\s*[|：:]/i,
    lacks: /SIMT|VF性能|VF融合|Reg矢量|RegTensor|MaskReg|3510|Tensor-?API|950/i,
  },
  '910': {
    marker: '910',
    name: /Atlas\s*训练系列产品|Atlas\s*Training\s*Series/i,
    lacks: /SIMT|VF性能|VF融合|Reg矢量|RegTensor|MaskReg|3510|Tensor-?API|950/i,
  },
  '950': {marker: '950', name: /Ascend\s*950/i, lacks: /2201|910/},
}

export type Support = 'supported' | 'unsupported' | 'unsaid'

const sectionHeading =
  /^(#{2,6})\s+(?:产品支持情况|支持的产品型号|支持的型号|Product Support|Supported Products|Availability)[^\n]*$/im

/**
 * What the page's support section says about the product: √/x tables and "product: supported" lists, Chinese or
 * English. `unsaid` when there is no such section. A section that lists other products only counts as unsupported, and
 * so does a section left empty by product selection.
 */
export function productSupport(markdown: string, product: Product): Support {
  const lines = supportLines(markdown)
  if (!lines) return isForOthers(markdown, product) ? 'unsupported' : 'unsaid'
  return lines.some((line) => product.name.test(line) && saysYes(line)) ? 'supported' : 'unsupported'
}

/** The page's support section; undefined if it has none. */
export function supportLines(markdown: string): string[] | undefined {
  const heading = sectionHeading.exec(markdown)
  if (!heading) return undefined
  const rest = markdown.slice(heading.index + heading[0].length)
  const end = rest.search(new RegExp(`^#{1,${heading[1]!.length}}\\s`, 'm'))
  return (end < 0 ? rest : rest.slice(0, end)).split('\n')
}

const announcesProducts = /(?:适用于(?:如下|以下)|对应的产品)(?:的)?(?:产品)?型号(?:为)?[：:]?|适用的产品[：:]/

/**
 * Whether a page opens with the products that it is for and names others only: after selection by product the list is
 * empty, or holds what remains.
 */
function isForOthers(markdown: string, product: Product): boolean {
  const opening = markdown.slice(0, 800)
  const at = opening.search(announcesProducts)
  if (at < 0) return false
  const listed = markdown.slice(at).split('\n').slice(0, 8)
  return !listed.some((line) => product.name.test(line))
}

function saysYes(line: string): boolean {
  // What only compiles does nothing there.
  if (/不支持|不生效|not supported|unsupported|[|：:]\s*(?:[x×✗✘]|no)\s*(?:\||$)/i.test(line)) return false
  // A bare product name in a list of supported products is a yes.
  return true
}
