/** The variable behind an argument: `xGm[progress * tile]` → `xGm`, `(half*)x + 4` → `x`, `this->in` → `in`. */
export function variableOf(argument: string): string {
  const text = argument
    .replace(/^\((?:[\w:\s*<>,]+\*)\)\s*/, '')
    .replace(/^\s*[&*]?\s*(?:this->)?/, '')
    .replace(/^reinterpret_cast<[^<>]*>\(/, '')
  return /^[A-Za-z_]\w*/.exec(text)?.[0] ?? ''
}

/** The variable, or the member of one: `boxes.left[n]` and `boxes.right` are two tensors. */
export const tensorOf = (argument: string): string =>
  /^(?:this->)?([A-Za-z_]\w*(?:(?:\.|->)[A-Za-z_]\w*)*)(?:$|\[)/.exec(argument)?.[1] ?? variableOf(argument)
