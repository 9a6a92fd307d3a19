import type {Adaptations, Argument} from '../../reference/call.ts'

/**
 * Tasks of NPUKernelBench whose binding calls a hand-written interface of the answer instead of the generated one, so
 * that names, order or types differ from the definition. Each entry does what that interface does: it reorders the
 * arguments for the definition, and converts tensors to the declared types.
 */
export const adaptations: Adaptations = {
  // grad, self, target, reduction as a number, out → predict, label, dout, reduction as text, y
  MseLossGradV2: (call) => [...pick(call, [1, 2, 0]), reductionName(call[3]), ...pick(call, [4])],
  // …, training, momentum, eps, outputs → …, epsilon, momentum, is_training, outputs; an absent weight is ones, an
  // absent bias zeros;
  // fewer than four dimensions are filled up with ones
  BatchNormV3: (call) => [
    ...image(call, 0),
    present(call[1], call[3], 1),
    present(call[2], call[3], 0),
    ...pick(call, [3, 4, 7, 6, 5]),
    ...image(call, 8),
    ...pick(call, [9, 10]),
  ],
  LayerNormV4: (call) => [...call],
  // self, k, dim, largest, sorted, … → x, k, sorted, dim, largest, …
  TopKV3: (call) => pick(call, [0, 1, 4, 2, 3, 5, 6]),
}

function pick(call: readonly Argument[], order: readonly number[]): Argument[] {
  return order.map((index) => {
    const argument = call[index]
    if (!argument) throw new RangeError(`the binding passes ${call.length} arguments, argument ${index} is missing`)
    return argument
  })
}

function image(call: readonly Argument[], index: number): Argument[] {
  return pick(call, [index]).map((argument) =>
    argument.kind === 'tensor'
      ? {...argument, shape: [...argument.shape, 1, 1].slice(0, Math.max(4, argument.shape.length))}
      : argument,
  )
}

function reductionName(argument: Argument | undefined): Argument {
  const number = argument?.kind === 'plain' ? Number(argument.value) : 1
  return {kind: 'plain', value: ['none', 'mean', 'sum'][number] ?? 'mean'}
}

/** As long as `like`, filled with one value, if the call has none. */
function present(argument: Argument | undefined, like: Argument | undefined, value: number): Argument {
  if (argument && argument.kind !== 'absent') return argument
  return {kind: 'filled', count: like?.kind === 'tensor' ? like.shape.reduce((a, b) => a * b, 1) : 1, value}
}
