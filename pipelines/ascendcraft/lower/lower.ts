import {kernelName} from '../../../cpp/op-def.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import type {CheckedModule} from '../language/checked.ts'
import {hostFiles, hostTemplate} from './lower-host-files.ts'
import {kernelFile, kernelTemplate} from './kernel-file.ts'
import {planKernel, type KernelPlan} from './plan-lowering.ts'

/** The operator after each of the four passes; every one of them compiles. */
interface Lowered {
  passes: {
    host: SourceFile[]
    init: SourceFile[]
    compute: SourceFile[]
    aligned: SourceFile[]
  }
  /** What the last pass left. */
  files: SourceFile[]
}

interface LoweredNames {
  /** The operator's type, such as `ReluCustom`. */
  operator: string
  /** How the files of the host begin; default: as CANN's own projects call them, `relu_custom`. */
  base?: string
}

/**
 * Lowers a checked program to an operator project of Ascend C: `op_host/`, `op_kernel/`. The same program gives the
 * same text. A program with type parameters is lowered for the types that it was checked with.
 * @throws TypeError where the program has what the checker should have refused
 */
export function lower(checked: CheckedModule, {operator, base = kernelName(operator)}: LoweredNames): Lowered {
  const plan = planKernel(checked)
  const host = hostPass(plan, operator, base)
  const init = initialisationPass(plan, operator, host)
  const compute = computationPass(plan, operator, init)
  const aligned = alignmentPass(plan, operator, compute)
  return {passes: {host, init, compute, aligned}, files: aligned}
}

/** What a task gives instead of an operator: files to begin with. */
export function templates(checked: CheckedModule, operator: string): {host: SourceFile; kernel: SourceFile} {
  const plan = planKernel(checked)
  return {host: hostTemplate(plan, operator, kernelName(operator)), kernel: kernelTemplate(plan, operator)}
}

/** Pass 1: tiling, shapes, definition, and the entry of a kernel that does nothing yet. */
function hostPass(plan: KernelPlan, operator: string, base: string): SourceFile[] {
  return [...hostFiles(plan, operator, base), kernelFile(plan, operator, 'entry')]
}

/** Pass 2: the kernel's members, and the memory of its queues and buffers. */
function initialisationPass(plan: KernelPlan, operator: string, files: readonly SourceFile[]): SourceFile[] {
  return withKernel(files, kernelFile(plan, operator, 'initialised'))
}

/** Pass 3: a function for each block, and the loops around them; copies move whole blocks of 32 bytes. */
function computationPass(plan: KernelPlan, operator: string, files: readonly SourceFile[]): SourceFile[] {
  return withKernel(files, kernelFile(plan, operator, 'plain'))
}

/** Pass 4: copies and comparisons of any number of elements. */
function alignmentPass(plan: KernelPlan, operator: string, files: readonly SourceFile[]): SourceFile[] {
  return withKernel(files, kernelFile(plan, operator, 'aligned'))
}

function withKernel(files: readonly SourceFile[], kernel: SourceFile): SourceFile[] {
  return [...files.filter(({path}) => path !== kernel.path), kernel]
}
