/** One way in which a page calls its function: what comes before in the same fence, and the call. */
export interface PageCall {
  setup: string[]
  call: string
}

function uncommented(code: string): string {
  return code
    .replace(/\/\*[\s\S]*?\*\//g, ' ')
    .replace(/\/\/.*$/gm, '')
    .replace(/^\s*#.*$/gm, '')
}

/** Top-level statements of a fence, without comments: each ends at a semicolon, or at the brace that closes a block. */
export function statementsOf(code: string): string[] {
  const statements: string[] = []
  let [text, depth] = ['', 0]
  for (const one of uncommented(code)) {
    if ('({['.includes(one)) depth += 1
    if (')}]'.includes(one)) depth -= 1
    text += one
    const closed = one === '}' && /^\s*(for|if|while|template|__aicore__|namespace)\b/.test(text)
    if (depth > 0 || (one !== ';' && !closed)) continue
    statements.push(text.replace(/;$/, '').trim().replace(/\s+/g, ' '))
    text = ''
  }
  return statements.filter((statement) => statement !== '')
}

/** What our frame does itself: buffers, queues, tensors. */
const framed =
  /\b(InitBuffer|DeQue|EnQue|AllocTensor|FreeTensor|TPipe|TQue|TBuf|using namespace)\b|\.Get<|\.\.\.|…|\bSetSize\(/
const tensorDeclaration = /^(AscendC::)?(Local|Global)Tensor<[^>]*>\s+\w+(\s*,\s*\w+)*$/

/** Calls of `names` (a pattern) in a page's fences, each with the statements before it that our frame does not make. */
export function callsOf(fences: readonly string[], names: string): PageCall[] {
  const calls = new RegExp(`^(?:AscendC::)?(?:${names})\\s*(?:<.*>)?\\s*\\(|^dstLocal = src\\w+ [^=;]+$`)
  return fences.flatMap((fence) => {
    const setup: string[] = []
    return statementsOf(fence).flatMap((statement) => {
      if (calls.test(statement)) return [{setup: [...setup], call: statement}]
      if (!framed.test(statement) && !tensorDeclaration.test(statement)) setup.push(statement)
      return []
    })
  })
}
