import {z} from 'zod'
import {Dtype} from '../../datasets/schema/tensor.ts'

/** JSON has no infinities, so Python sends them as text. */
const JsonNumber = z.union([
  z.number(),
  z.strictObject({float: z.enum(['inf', '-inf', 'nan'])}).transform(({float}) => floats[float]),
])
const floats = {inf: Infinity, '-inf': -Infinity, nan: NaN}

const TensorArgument = z.object({
  kind: z.literal('tensor'),
  /** Its index among all tensors of the call, counting members of lists. */
  slot: z.int().nonnegative(),
  dtype: Dtype,
  shape: z.array(z.int().nonnegative()),
  /** Whether its memory is returned to the caller. */
  returned: z.boolean(),
  /** Whether the binding has filled it with zeros. */
  cleared: z.boolean().optional(),
})
export type TensorArgument = z.infer<typeof TensorArgument>

/** One argument of `EXEC_NPU_CMD`, by its C++ type. */
export const Argument = z.discriminatedUnion('kind', [
  z.object({kind: z.literal('absent')}),
  TensorArgument,
  z.object({kind: z.literal('tensors'), items: z.array(TensorArgument)}),
  z.object({kind: z.literal('scalar'), value: z.union([JsonNumber, z.boolean()])}),
  z.object({kind: z.literal('scalars'), value: z.array(z.union([JsonNumber, z.boolean()]))}),
  z.object({kind: z.literal('integers'), value: z.array(z.number())}),
  z.object({kind: z.literal('plain'), value: z.union([JsonNumber, z.boolean(), z.string()])}),
])
export type Argument = z.infer<typeof Argument> | {kind: 'filled'; count: number; value: number}

/** A binding's operator call for one set of inputs. */
export const OperatorCall = z.object({operator: z.string(), arguments: z.array(Argument)})
export type OperatorCall = z.infer<typeof OperatorCall>

/** By operator: maps the arguments of a binding's call to the operator's definition. */
export type Adaptations = Readonly<Record<string, (call: readonly Argument[]) => Argument[]>>
