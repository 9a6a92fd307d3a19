import type {RunTrace} from '../../../datasets/schema/executor.ts'
import {code} from '../../../datasets/voice.ts'
import {variableOf} from '../../facts/variable.ts'
import type {TakenPath} from './taken-path.ts'

/** A buffer of the run with its name in the code, where that is sure. */
export type NamedBuffer = RunTrace['buffers'][number] & {
  /** The expression of its bytes, when it gives them by the tiling of the call. */
  size?: string
}

/** A run numbers the buffers of a position in the order of their set-up; the code names them in that order. */
export function namedBuffers({buffers}: RunTrace, {facts, settled}: TakenPath): NamedBuffer[] {
  const setUps = facts.methods.flatMap(({syntax}) =>
    syntax.calls.filter(({name, args}) => name === 'InitBuffer' && args.length > 1).map((call) => ({call, syntax})),
  )
  const isPlain = setUps.every(
    ({call, syntax}) => call.branches.length + call.loops.length === 0 && syntax === setUps[0]?.syntax,
  )
  const kindOf = (name: string) => facts.buffers.filter((one) => one.name === name)
  const named = setUps.flatMap(({call, syntax}) => {
    const name = variableOf(call.args[0] ?? '')
    const [declared, ...others] = kindOf(name)
    return declared && others.length === 0 ? [{name, declared, size: call.args.at(-1) ?? '', syntax}] : []
  })
  if (!isPlain || named.length !== setUps.length || named.length !== buffers.length) return [...buffers]
  const group = (kind: string, position: string) =>
    named.filter(({declared}) => declared.kind === kind && position.startsWith(declared.position))
  return buffers.map((buffer) => {
    const alike = buffers.filter(({kind, position}) => kind === buffer.kind && position === buffer.position)
    const candidates = group(buffer.kind, buffer.position)
    const own = candidates.length === alike.length ? candidates[alike.indexOf(buffer)] : undefined
    if (!own) return buffer
    const isGiven = settled.value(own.size, own.syntax) === buffer.bytes && !/^\d+$/.test(own.size)
    return {...buffer, name: code(own.name), ...(isGiven && {size: own.size})}
  })
}
