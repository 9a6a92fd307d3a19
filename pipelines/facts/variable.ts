/** The variable behind an argument: `xGm[progress * tile]` → `xGm`, `(half*)x + 4` → `x`, `this->in` → `in`. */
export function variableOf(argument: string): string {
  const text = argument
    .replace(/^\((?:[\w:\s*<>,]+\*)\)\s*/, '')
    .replace(/^\s*[&*]?\s*(?:this->)?/, '')
    .replace(/^reinterpret_cast<[^<>]*>\(/, '')
  return /^[A-Za-z_]\w*/.exec(text)?.[0] ?? ''
}
