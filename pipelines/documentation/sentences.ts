/** Splits prose into sentences, Chinese or English; list marks go. */
export function sentences(text: string): string[] {
  const parts = text
    .replace(/^(?:[•·\s]|-(?!\d))+/, '')
    .split(/(?<=[。！？])|(?<=[.!?])\s+(?=[A-Z“"(])|\s*•\s*/)
    .map(withoutOpening)
    .filter((sentence) => sentence !== '' && !/^【?反例】?/.test(sentence))
  const joined: string[][] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (!last || !leansOnLast.test(part)) joined.push([part])
    else last.push('。！？'.includes(last.at(-1)?.at(-1) ?? '') ? part : ` ${part}`)
  }
  return joined.map((pieces) => pieces.join(''))
}

// A sentence that opens with a pronoun means nothing without the one before it.
const leansOnLast = /^(?:It|This|These|They|Its|其|它|该|此|这|否则|因此|所以|即|(?:对于|针对|在)(?:此|这|该))/

/** ", for which see X" behind a clause that says something. */
const pointerClause =
  /(?<=[^，,。；;]{8}|[\])）])[，,；;](?![^[(（]*[\])）])[^，,。；;]*(?:参考(?!值|系|时钟|模型)|参见|详见|请见)[^，,。；;]*(?=。?$)/

/** Without the product that it is said to hold for, and without a label such as "Note:". */
function withoutOpening(sentence: string): string {
  return sentence
    .replace(pointerClause, '')
    .replace(/^(?:\p{Emoji_Presentation}|\uFE0F|\s)+/u, '')
    .replace(/^【(?!反例)[^】]{1,8}】\s*/, '')
    .replace(/(?:该说明)?针对(?:如下|以下)(?:产品)?(?:型号)?(?:生效)?[，,：:]?\s*/, '')
    .replace(/^(?:说明|注意|请注意|注意事项|注|NOTE|Note)\s*[：:]\s*|^请注意[，,]\s*/, '')
    .replace(/\s+(?=[。！？，；])/g, '')
    .trim()
}

/**
 * Whether a sentence makes sense away from its page. Pointers to tables, figures and other pages do not, nor do the
 * colons that announce what follows, nor "none".
 */
export function standsAlone(sentence: string): boolean {
  // What it goes on from was for another product.
  if (/^(?:否则|但是|比如|otherwise\b|but\b)/i.test(sentence) || /<img\b/.test(sentence)) return false
  if (isPointer(sentence) || /(?:如下(?:所示)?|[：:]|[值式]为)[：:。]?$/.test(sentence)) return false
  if (/Ascend 950|Kirin|Atlas 200I|Atlas 推理系列/.test(sentence) && !/Atlas A2/.test(sentence)) return false
  if (/^(?:Atlas|Ascend|Kirin)[^，。:：]*(?:产品|products?|AI Core|Vector Core)[。.；;]?$/i.test(sentence)) return false
  return !/^(?:无|暂无|不涉及|N\/?A|None|NA|-+)[。.]?$/i.test(sentence) && sentence.length >= 4
}

const shownBelow = '图|表|示例|样例|代码|所示|章节|公式|数据|内容'
const pointerZh = new RegExp(
  [
    '下文|方法见|示意图|重点介绍|参考(?!值|系|时钟|模型)|参见|详见|请见|[见如][图表]|[上下][图表]|上文|前文|上述|如上|以此类推|头文件路径|样例请',
    '(?:下面|接下来)(?:以|介绍|给出|将|通过|是|我们)|完整(?:的)?(?:算子|调用)?[样示]例|本节|本章|本页|本文档|此处(?!应?传入|应?填)|灰色部分|这里不|不再赘述',
    String.raw`[图表]\s*\d|痛点\d`,
    `(?:如下|以下|下面|下述)[^：:，,。]{0,8}(?:${shownBelow})`,
    String.raw`(?:如下|以下)(?![^。]*[：:]\s*[^\s：:])`,
  ].join('|'),
)
const pointerEn = /\b(?:see|refer to|as follows|following (?:table|figure)|shown (?:in|below)|figure \d|table \d)\b/i

/** Whether a sentence sends the reader to another place: a table, a figure, another page, the text around it. */
export function isPointer(text: string): boolean {
  // "That is, the three above" points into its own sentence.
  const sentence = text.replace(/，即(?:[^，。]*，)?上述/g, '，即')
  return pointerZh.test(sentence) || pointerEn.test(sentence)
}

const unitWords = '字节|bytes?|Bytes|元素|elements?|KB|MB|GB|B|bits?|位|比特|DataBlock|次|个'

const bindingWords = new RegExp(
  [
    '必须|不能|不支持|不允许|不得|需要|应当|仅支持|默认|单位|取值',
    'must|cannot|only|never|default|at most|at least|range|unit',
  ].join('|'),
  'i',
)

/** How much a sentence binds: numbers with units, ranges, must and must not. Used to choose among many. */
export function weight(sentence: string): number {
  let score = 0
  if (new RegExp(`\\d\\s*(?:${unitWords})`).test(sentence)) score += 2
  if (/[[(（]\s*-?\d+\s*[,，~]/.test(sentence)) score += 2
  if (bindingWords.test(sentence)) score += 2
  if (/对齐|align/i.test(sentence)) score += 1
  if (sentence.length > 160) score -= 2
  return score
}

/** Every dtype that is named, in order, once. */
export function dtypesIn(text: string): string[] {
  const found =
    text.match(
      /(?<![\w])(?:bool|int4b_t|u?int(?:8|16|32|64)_t|half|bfloat16_t|float|double|complex32|complex64)(?![\w])/g,
    ) ?? []
  return [...new Set(found)]
}
