/**
 * How a sentence reads away from its page. `told`: it makes sense. `elsewhere`: it only refers to another place,
 * `foreign`: it is for another product, `nothing`: "none"; omitting these three loses nothing. `lost`: it says
 * something that cannot be understood without a figure, a table or other text.
 */
export type Fate = 'told' | 'elsewhere' | 'foreign' | 'nothing' | 'lost'

export function fateOf(sentence: string): Fate {
  if (/^(?:无|暂无|不涉及|N\/?A|None|NA|-+)[。.]?$/i.test(sentence) || sentence.length < 4) return 'nothing'
  if (isForeign(sentence)) return isLimit.test(sentence) ? 'lost' : 'foreign'
  if (isElsewhere(sentence)) return 'elsewhere'
  if (opensOnLast.test(sentence) || isByProduct.test(sentence) || /<img\b/.test(sentence)) return 'lost'
  return isPointer(sentence) || announcesAtEnd.test(sentence) ? 'lost' : 'told'
}

/** "The count is 8 or 4 respectively": the order is that of a list of products. */
const isByProduct = /分别[为是]\s*\d+[^，。；]{0,4}或\s*\d+/

/** What the page says next about the parameter does not apply here. */
const isLimit = /^(?:该|此|本)?(?:参数|取值|接口|功能)?仅(?:支持|适用)/

/** A sentence that continues an earlier one, in any wording. */
export const opensOnLast =
  /^(?:否则|但是|但(?!若)|比如|例如|此时|这时|这种|以上|上述|二者|两者|由此|相反|反之|即[：:，]?|otherwise\b|but\b|for example\b|in this case\b)/i

/** Whether a sentence says, or ends in saying, that only another product has what is spoken of. */
export function isLimitedToOthers(sentence: string): boolean {
  return isForeign(sentence) && sentence.split(/[，,；;]/).some((clause) => isLimit.test(clause.trim()))
}

const announcesAtEnd = /(?:如下(?:所示)?|[：:]|[值式]为)[：:。]?$/

const otherProducts = /Ascend 950|Kirin|Atlas 200I|Atlas A3|Atlas (?:推理|训练)系列/

function isForeign(sentence: string): boolean {
  if (otherProducts.test(sentence) && !/Atlas A2/.test(sentence)) return true
  return /^(?:Atlas|Ascend|Kirin)[^，。:：]*(?:产品|products?|AI Core|Vector Core)[。.；;]?$/i.test(sentence)
}

const pointing = '参考(?!值|系|时钟|模型)|参见|参照|详见|请见'

/** One clause that sends to another page, or a caption. */
const onlyPoints = [
  /^同[`\w:]+[。.]?$/,
  /^[^，。；]*会在[^，。；]*(?:章节|小节|一节)(?:中)?[^，。；]*(?:展开|介绍|说明)[。.]?$/,
  /^(?:表|图|Table|Figure)\s*\d+(?![^。]*[。，])/i,
  /^头文件路径|头文件路径为|\$\{INSTALL_DIR\}/,
  new RegExp(`^(?:(?:在|对于|针对)[^，。；]*[，,])?[^，。；：]*(?:${pointing})[^，。；]*[。.]?$`),
  new RegExp(
    `^(?:关于|有关)?[^，。；]*[，,](?:具体|详细|更多)?[^，。；]{0,8}(?:可以?|请)?(?:${pointing})[^，。；]*[。.]?$`,
  ),
  /^(?:下图|下面的?|如下|以下)[^，。；]*(?:示意图|所示|示例|样例|代码|片段|过程|流程)[^，。；]*[。：:]?$/,
  /^[^，。；]*(?:如下图|如图\s*\d+)所示[。：:]?$/,
]

/** What it would bind is lost with it. */
const binds = /必须|不能|不支持|不允许|[仅只]|范围|\d\s*(?:字节|B\b|个)/

/** A place on the same page: without it, part of the answer is missing. */
const samePage = new RegExp(`(?:${pointing})[^，。；]*(?:关键特性|功能说明|约束说明|取值说明|空间说明|下面|上文)`)

function isElsewhere(sentence: string): boolean {
  if (samePage.test(sentence)) return false
  const clauses = sentence.split('；')
  return !binds.test(sentence) && clauses.every((clause) => onlyPoints.some((pattern) => pattern.test(clause)))
}

const shownBelow = '图|表|示例|样例|代码|所示|章节|公式|数据|内容'
const pointerZh = new RegExp(
  [
    `下文|方法见|示意图|(?<!源)图中|(?<!源)图片中|^对[^，。：]{1,16}说明[。：:]?$|对这种|重点介绍|${pointing}|[见如][图表]|[上下][图表]|上文|前文|上述|如上|以此类推|样例请`,
    '(?:下面|接下来)(?:以|介绍|给出|将|通过|是|我们)|完整(?:的)?(?:算子|调用)?[样示]例|本节|本章|本页|本文档|此处(?!应?传入|应?填)|灰色部分|这里不|不再赘述',
    String.raw`[图表]\s*\d|痛点\d|(?:对于|针对|采用)(?:场景|情况|方式)\s*[\d一二三四五]`,
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

/** ", for which see X" after an informative clause. */
const pointerClause = new RegExp(
  String.raw`(?<=[^，,。；;]{8}|单位[为是][^，,。；;]{1,7}|[\])）])[，,；;](?![^[(（]*[\])）])` +
    `[^，,。；;]*(?:${pointing})[^，,。；;]*(?=。?$)`,
)

/** "The demands on X: see the common rules" names a rule; the rule itself is on its own page. */
const namedRule = new RegExp(
  `((?:约束|要求|限制|规则)[^，。；]{0,4}?)(?:请|可)?(?:${pointing})[：:]?\\s*([^，。；]{2,30}?(?:约束|说明|限制|要求))(?=[，。；]|$)`,
)

/** A sentence without the words that only lead to another page. */
export function withoutPointers(sentence: string): string {
  if (samePage.test(sentence)) return sentence
  const named = sentence.replace(namedRule, '$1以“$2”为准')
  // "For X, see Y" is whole with its second half alone.
  return /^(?:如需|若需|如果需要|如果想)/.test(named) ? named : named.replace(pointerClause, '')
}
