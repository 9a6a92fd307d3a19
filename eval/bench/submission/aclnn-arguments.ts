import {z} from 'zod'
import type {AttributeValue} from '../../../datasets/schema/task.ts'
import {Dtype} from '../../../datasets/schema/tensor.ts'

/** What C's `printf` writes if JSON has no number for it. */
const printed: Readonly<Record<string, number>> = {inf: Infinity, '-inf': -Infinity}

const Sizes = z.array(z.int().nonnegative())

/** One argument of EXEC_NPU_CMD, as passed on by the harness's header. */
export const Argument = z.discriminatedUnion('kind', [
  z.object({kind: z.literal('none')}),
  z.object({kind: z.literal('tensor'), dtype: Dtype, place: z.int().nonnegative(), shape: Sizes, strides: Sizes}),
  // A host tensor, whose address is invalid on the device.
  z.object({kind: z.literal('host-tensor')}),
  z.object({
    kind: z.literal('number'),
    type: z
      .enum(['bool', 'int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64'])
      .or(z.enum(['float32', 'float64'])),
    /** Integers as text: JSON's numbers hold 53 bits. */
    value: z.union([z.number(), z.string().transform((text) => printed[text] ?? Number(text))]),
  }),
  z.object({kind: z.literal('string'), value: z.string()}),
  z.object({kind: z.literal('integers'), value: z.array(z.number())}),
  z.object({kind: z.literal('truths'), value: z.array(z.number())}),
  // `at::Scalar`, which becomes an `aclScalar*`.
  z.object({kind: z.literal('scalar')}),
  // Whatever the header passes unchanged: std::string, std::vector.
  z.object({kind: z.literal('object')}),
])
export type Argument = z.infer<typeof Argument>
type NumberArgument = Extract<Argument, {kind: 'number'}>

/** Type of an attribute in the function that is generated for the operator, by its type in the definition. */
const signatures: Readonly<Record<string, string>> = {
  Int: 'int64_t',
  Float: 'double',
  Bool: 'bool',
  String: 'char *',
  ListInt: 'const aclIntArray *',
  ListBool: 'const aclBoolArray *',
  ListFloat: 'const aclFloatArray *',
}

const passed: Readonly<Record<Argument['kind'], string>> = {
  none: 'a null pointer',
  tensor: 'an aclTensor *',
  'host-tensor': 'an aclTensor *',
  number: 'a number',
  string: 'a char *',
  integers: 'an aclIntArray *',
  truths: 'an aclBoolArray *',
  scalar: 'an aclScalar *',
  object: 'an object of C++',
}

/** Registers of the boards' processors (AArch64, AAPCS64) that take integers and pointers; more go over the stack. */
const registers = 8

/**
 * The value that reaches the operator where the harness calls its generated function through a pointer to another type
 * of function: a float read from a register as a double is almost zero, and the upper half of an int64_t is left over
 * from before. @param before integers and pointers among the preceding arguments @returns `why`: the value that arrives
 * is unknown, or there is none
 */
export function arrivingValue(
  attribute: {name: string; type: string},
  argument: Argument,
  before: number,
): {value: AttributeValue} | {why: string} {
  const {name, type} = attribute
  const wanted = signatures[type]
  const refuse = (given: string) => ({
    why: `the attribute ${name} is ${wanted ?? type} in the generated function, ${given} was passed`,
  })
  if (argument.kind !== 'number') {
    const fits = lists[type] === argument.kind
    return fits && 'value' in argument ? {value: argument.value} : refuse(passed[argument.kind])
  }
  if (wanted === 'double') return isFloating(argument) ? {value: asDouble(argument)} : refuse(`${argument.type}`)
  if (isFloating(argument)) return refuse(argument.type)
  if (wanted === 'bool') return {value: (argument.value & 0xff) !== 0}
  if (wanted === 'int64_t') return wholeInteger(argument, before) ?? refuse(`${argument.type} on the stack`)
  return refuse(argument.type)
}

const lists: Readonly<Record<string, Argument['kind']>> = {
  String: 'string',
  ListInt: 'integers',
  ListBool: 'truths',
}

const isFloating = ({type}: NumberArgument) => type === 'float32' || type === 'float64'

/** A float is read as the lower half of a double. */
function asDouble({type, value}: NumberArgument): number {
  if (type === 'float64') return value
  const bits = new DataView(new ArrayBuffer(8))
  bits.setFloat32(4, value)
  return bits.getFloat64(0)
}

/** A register's upper half is zero after a 32-bit write; on the stack it is unknown. */
function wholeInteger({type, value}: NumberArgument, before: number): {value: number} | undefined {
  if (type === 'int64' || type === 'uint64') return {value}
  if (before >= registers) return undefined
  return {value: value < 0 ? value + 2 ** 32 : value}
}

/** Whether it takes one of the registers for integers and pointers. */
export function isIntegral(argument: Argument): boolean {
  return argument.kind !== 'number' || !isFloating(argument)
}
