import {probeSandboxes, sandboxFix} from './sandbox.ts'
import type {SandboxReport} from './sandbox.ts'
import {compilerFix, findCompilers} from './toolchain.ts'
import type {Compiler} from './toolchain.ts'

/** What this machine has for judging code, what would be chosen, what each choice costs, and how to do better. */
export interface ToolchainProbe {
  compilers: Compiler[]
  sandboxes: SandboxReport[]
  chosenCompiler: Compiler | undefined
  chosenSandbox: SandboxReport['name'] | undefined
  costs: string[]
  fixes: string[]
}

/** For `doctor`: looks, builds nothing, throws nothing over an absence. `workDirectory` is made and left empty. */
export async function probe(workDirectory: string): Promise<ToolchainProbe> {
  const [compilers, sandboxes] = await Promise.all([findCompilers(), probeSandboxes(workDirectory)])
  const [chosenCompiler] = compilers
  const chosenSandbox = sandboxes.find(({works}) => works)?.name
  const costs: string[] = []
  const fixes: string[] = []
  if (!chosenCompiler) costs.push('no C++ compiler: no code can be compiled, run or labelled')
  else if (chosenCompiler.cost !== '') costs.push(`${chosenCompiler.version}: ${chosenCompiler.cost}`)
  if (chosenCompiler?.kind !== 'clang' || chosenCompiler.major !== 15) fixes.push(compilerFix)
  if (chosenSandbox === undefined) {
    costs.push('no sandbox: generated code is neither compiled nor run')
    fixes.push(sandboxFix)
  } else if (chosenSandbox === 'unshare') {
    costs.push('unshare in place of bubblewrap: about 20 ms more for every compile and run')
    fixes.push('Install bubblewrap (`apt install bubblewrap`).')
  }
  return {compilers, sandboxes, chosenCompiler, chosenSandbox, costs, fixes}
}
