/**
 * Ways to pass without an operator's work, by the numbers under which a public benchmark forbids them, so that refusals
 * can be counted alike.
 */
export const behaviours = {
  'SUB-BEH-001': 'computes with PyTorch',
  'SUB-BEH-002': 'moves tensors with PyTorch, or returns views of them',
  'SUB-BEH-003': 'calls a built-in operator',
  'SUB-BEH-004': 'computes on the host, or launches no kernel',
  'SUB-BEH-005': 'returns stored, fixed or earlier results',
  'SUB-BEH-006': 'changes what measures it',
  'SUB-BEH-007': 'returns something other than tensors',
} as const
export type Behaviour = keyof typeof behaviours
export const behaviourNames = Object.keys(behaviours) as [Behaviour, ...Behaviour[]]

const finished = 'calls-a-finished-operator|uses-a-finished-operator|forbidden-include'
/** PyTorch's operations that only arrange values anew. */
const moving =
  'cat|stack|index\\w*|gather|scatter\\w*|take\\w*|flip|roll|rot90|repeat\\w*|constant_pad\\w*|pad|clone|masked_\\w+|' +
  'where|unique\\w*|nonzero|tril|triu|copy_?'

/** The first that fits counts. */
const signs: readonly [rule: string, seen: string, behaviour: Behaviour][] = [
  [finished, '\\baclnn[A-Z]|torch_npu\\.', 'SUB-BEH-003'],
  [finished, `aten::_?(?:${moving})$`, 'SUB-BEH-002'],
  ['calls-a-finished-operator|uses-a-finished-operator', '', 'SUB-BEH-001'],
  ['forbidden-include', 'torch/|ATen/', 'SUB-BEH-001'],
  ['copies-without-a-kernel|not-contiguous|returns-an-input', '', 'SUB-BEH-002'],
  ['reads-tensors-on-the-host|host-reads-input-values|output-on-the-host|no-kernel', '', 'SUB-BEH-004'],
  ['not-computed|stored-results|keeps-an-output', '', 'SUB-BEH-005'],
  ['changes-the-clock|touches-the-judge', '', 'SUB-BEH-006'],
  ['returns-no-tensor', '', 'SUB-BEH-007'],
]
const compiled = signs.map(([rule, seen, behaviour]) => ({
  rule: new RegExp(`^(?:${rule})$`),
  seen: new RegExp(seen),
  behaviour,
}))

/** @param rule in kebab-case @param seen the evidence @returns undefined for a rule that is about something else */
export function behaviourOf(rule: string, seen: string): Behaviour | undefined {
  return compiled.find((one) => one.rule.test(rule) && one.seen.test(seen))?.behaviour
}
