import {chineseWords} from '../../datasets/contamination/han-words.ts'

/** Cuts text into the words by which it is found: Chinese words, and every name of code as one lower-case word. */
export function wordCutter(): (text: string) => string[] {
  const words = chineseWords()
  return (text) => [
    ...namesIn(text).map((name) => name.toLowerCase()),
    ...words.cutForSearch((text.match(/\p{Script=Han}+/gu) ?? []).join(' ')).filter((word) => word.length > 1),
  ]
}

/** Names of code, as written: `AscendC::DataCopyPad` gives two. */
export function namesIn(text: string): string[] {
  return text.match(/[A-Za-z_]\w+/g) ?? []
}

/** The words that a name is made of: `SoftmaxFlashV2` gives softmax, flash, v2; none for a name of one word. */
export function partsOf(name: string): string[] {
  const parts = name.match(/[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+/g) ?? []
  return parts.length > 1 ? parts.filter((part) => part.length > 1).map((part) => part.toLowerCase()) : []
}

/** Words of the field that Chinese pages write in Chinese, English stems first. */
const glossary: readonly [RegExp, string[]][] = [
  [/^align/, ['对齐']],
  [/^overlap/, ['重叠']],
  [/^address/, ['地址']],
  [/^memor/, ['内存']],
  [/^queue/, ['队列']],
  [/^mask/, ['掩码']],
  [/^pipelin/, ['流水']],
  [/^sync/, ['同步']],
  [/^(?:cop(?:y|ies|ied)|mov(?:e|ing)|transfer)/, ['搬运']],
  [/^conflict/, ['冲突']],
  [/^debug/, ['调试']],
  [/^compil/, ['编译']],
  [/^qualifier/, ['限定符']],
  [/^kernels?$/, ['核函数']],
  [/^launch/, ['调用', '核函数']],
  [/^tails?$/, ['尾块']],
  [/^atomic/, ['原子']],
  [/^cach/, ['缓存']],
  [/^(?:precision|accurac)/, ['精度']],
  [/^sort/, ['排序']],
  [/^reduc/, ['归约']],
  [/^transpos/, ['转置']],
  [/^compar/, ['比较']],
  [/^scalar/, ['标量']],
  [/^vector/, ['矢量']],
  [/^matri/, ['矩阵']],
  [/^quanti/, ['量化']],
  [/^(?:perform|optimi[sz])/, ['性能', '优化']],
  [/^bandwidth/, ['带宽']],
  [/^stride/, ['间隔']],
  [/^(?:repeat|iterat)/, ['迭代']],
  [/^register/, ['寄存器']],
  [/^overflow/, ['溢出']],
  [/^round/, ['舍入']],
  [/^(?:pad|fill)/, ['填充']],
  [/^convert|^conversion/, ['转换']],
  [/^templat/, ['模板']],
  [/^(?:error|fail)/, ['报错', '失败']],
  [/^environment/, ['环境']],
  [/^install/, ['安装']],
  [/^broadcast/, ['广播']],
  [/^random/, ['随机']],
]

/** What Chinese pages call the English words of a question. */
export function inChinese(words: readonly string[]): string[] {
  return words.flatMap((word) => glossary.find(([stem]) => stem.test(word))?.[1] ?? [])
}
