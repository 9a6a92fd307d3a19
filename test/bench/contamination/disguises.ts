import {codeTokens, foldedNames} from '../../../datasets/contamination/normalize.ts'

const line = /;([ \t]*\n)/g

/** A statement that nothing reads, after every statement that ends its line. */
export function withDeadStatements(text: string): string {
  let count = 0
  return text.replace(line, (_, end: string) => {
    count += 1
    return `;${end}    int32_t spare${count} = ${count} * 3; if (spare${count} < 0) { spare${count} += ${count}; }\n`
  })
}

/** Every name that is neither a keyword's nor the API's, and the operator's own in any spelling. */
export function renamed(text: string, operator: string, api: ReadonlySet<string>): string {
  const snake = operator.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()
  const plain = text
    .replaceAll(operator, 'Quixotic')
    .replaceAll(snake, 'quixotic')
    .replaceAll(snake.toUpperCase(), 'QUIXOTIC')
  return withNames(plain, authorsNames(plain, api))
}

/** Names of code that are neither keywords nor the API's. */
export function authorsNames(code: string, api: ReadonlySet<string>): string[] {
  const kept = codeTokens(code)
  const changed = foldedNames(kept, api)
  const own = kept.filter(({text}, index) => changed[index] === 'v' && text !== 'v' && !api.has(text))
  return [...new Set(own.map(({text}) => text))]
}

/** Other names in place of these, wherever they stand as words. */
export function withNames(text: string, names: readonly string[]): string {
  const others = new Map(names.map((name, index) => [name, `name${index}Of`]))
  return text.replace(/(?<![\w"/.])[A-Za-z_]\w*(?![\w"/]|\.h)/g, (name) => others.get(name) ?? name)
}

/** Other line breaks and indentation, and no line of comments. */
export function reformatted(text: string): string {
  return withoutComments(text)
    .replace(/([;{}])\s*/g, '$1\n        ')
    .replace(/ *([,=+*<>-]) */g, ' $1 ')
    .replace(/- {2}>/g, '->')
}

/** Every comment says something else. */
export function translated(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, '/* 此处为另一种语言的说明，逐段重写 */')
    .replace(/(?<!:)\/\/[^\n]*/g, '// 这一行的作用在上文已经说明')
    .replace(/("""|''')[\s\S]*?\1/g, '"""\n    用另一种语言写成的说明，逐段重写。\n    """')
    .replace(
      /(?<=\n)\s*#(?!\s*(?:include|define|if|ifdef|ifndef|endif|else|elif|undef|pragma|error)\b)[^\n]*/g,
      '\n# 说明',
    )
}

/** The functions of a file in another order, and neighbouring declarations of a function changed over. */
export function moved(text: string): string {
  const declaration = /([ \t]+[\w:<>]+ \w+ = [^;{}\n]+;[ \t]*\n)([ \t]+[\w:<>]+ \w+ = [^;{}\n]+;[ \t]*\n)/g
  const parts = text.split(/\n(?=[ \t]*(?:template\s*<[^\n]*\n[ \t]*)?__aicore__ inline )/)
  const [head = '', ...functions] = parts.map((part) => part.replace(declaration, '$2$1'))
  return [head, ...functions.reverse()].join('\n')
}

/** The second half of every longer function in a function of its own. */
export function split(text: string): string {
  let count = 0
  return text.replace(/\{\n((?:[ \t]+[^\n{}]*;[ \t]*\n){6,})/g, (_, body: string) => {
    const lines = body.split('\n').filter((one) => one !== '')
    const half = Math.ceil(lines.length / 2)
    count += 1
    const [first, second] = [lines.slice(0, half), lines.slice(half)].map((some) => some.join('\n'))
    const rest = `SecondHalf${count}`
    return `{\n${first}\n  ${rest}(progress);\n}\n__aicore__ inline void ${rest}(int32_t progress) {\n${second}\n`
  })
}

/** The first function of which the name holds `Compute`, alone. */
export function computeAlone(text: string): string | undefined {
  const head = /\n[^\n;]*\b(?:\w+(?:<[^>\n]*>)?::)?\w*Compute\w*\s*\([^;{}]*\)\s*(?:const\s*)?\{/.exec(text)
  if (!head) return undefined
  let depth = 0
  for (let at = head.index + head[0].length - 1; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1
    if (text[at] === '}') depth -= 1
    if (depth === 0) return text.slice(head.index, at + 1)
  }
  return undefined
}

/** A request in words of our own that keeps what an operator is told by: its name, and its formula if it has one. */
export function paraphrased(operator: string, description: string): string {
  const formula = /\$\$([^$]+)\$\$/.exec(description)?.[1]?.trim()
  const told = formula === undefined ? '' : `Each element of its result follows $${formula}$. `
  return `We need the ${operator} operator on our device. ${told}Please write its code and say how tiles are cut.`
}

/** Requests for an operator by its name alone, in the spellings and words of many hands. */
export function requests(operator: string): string[] {
  const snake = operator.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()
  const spaced = snake.replaceAll('_', ' ')
  return [
    `Write ${operator} for the vector cores in Ascend C; the tensors are half and two-dimensional.`,
    `请用 Ascend C 实现 ${operator}，支持 float16 和动态 shape。`,
    `Port torch's ${snake} to the NPU as a custom operator with tiling.`,
    `Our model spends its time in ${spaced}. Give me a fused kernel for it.`,
    `I want to run ${snake} on an Ascend 910B. Show host tiling and device code.`,
    `帮我写一个${operator}的昇腾算子，要考虑尾块。`,
    `How would you code ${operator} by hand with TPipe and TQue?`,
    `Provide a complete ${spaced} implementation for AI Core, with double buffering.`,
    `${snake.toUpperCase()}: op_host and op_kernel, please.`,
  ]
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(?<!:)\/\/[^\n]*/g, '')
}
