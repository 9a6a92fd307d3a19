/** One branch of a conditional directive: the line where it starts, and how many blocks it leaves open. */
interface Branch {
  from: number
  open: number
}

/**
 * Where branches of an `#if` open a block that is closed after `#endif`, brackets match only when one of them is read:
 * the first. Branches that close what they open stay, since nobody knows here which of them is compiled.
 */
export function withoutOpenBranches(code: string): string {
  const lines = code.split('\n')
  const conditionals: Branch[][] = []
  let isContinued = false
  for (const [at, line] of lines.entries()) {
    const isRest: boolean = isContinued
    isContinued = line.endsWith('\\') && (isRest || /^[ \t]*#/.test(line))
    if (isRest) continue
    const directive = /^[ \t]*#[ \t]*(if|el|endif)?/.exec(line)
    if (!directive) {
      const branch = conditionals.at(-1)?.at(-1)
      if (branch) branch.open += opened(line)
    } else if (directive[1] === 'if') conditionals.push([{from: at, open: 0}])
    else if (directive[1] === 'el') conditionals.at(-1)?.push({from: at, open: 0})
    else if (directive[1] === 'endif') {
      const [first, second] = conditionals.pop() ?? []
      if (!first) continue
      if (second && first.open !== 0)
        for (let gone = second.from; gone < at; gone += 1) lines[gone] = blank(lines[gone] ?? '')
      const outer = conditionals.at(-1)?.at(-1)
      if (outer) outer.open += first.open
    }
  }
  return lines.join('\n')
}

function opened(line: string): number {
  return line.replaceAll(/[^{]/g, '').length - line.replaceAll(/[^}]/g, '').length
}

/** The same lines and columns, with nothing on them. */
export function blank(part: string): string {
  return part.replaceAll(/[^\n]/g, ' ')
}
