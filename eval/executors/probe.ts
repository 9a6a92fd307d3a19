import {probeSandboxes, sandboxFix} from './sandbox.ts'
import type {SandboxReport} from './sandbox.ts'
import {compilerFix, findCompilers, findFastLinker} from './toolchain.ts'
import type {Compiler} from './toolchain.ts'

/** The drawback of this machine's choice for one part, and how to improve it; both '' if there is none. */
export interface Shortfall {
  cost: string
  fix: string
}

/** What this machine has for judging code, the choice, and its drawbacks. */
interface ToolchainProbe {
  compilers: Compiler[]
  sandboxes: SandboxReport[]
  chosenCompiler: Compiler | undefined
  chosenSandbox: SandboxReport['name'] | undefined
  /** '' when the compiler links by itself. */
  chosenLinker: string
  shortfalls: {compiler: Shortfall; sandbox: Shortfall; linker: Shortfall}
}

/**
 * For `doctor`: only checks, builds nothing, and does not throw for missing tools. `workDirectory` is created and left
 * empty.
 */
export async function probe(workDirectory: string): Promise<ToolchainProbe> {
  const [compilers, sandboxes] = await Promise.all([findCompilers(), probeSandboxes(workDirectory)])
  const [chosenCompiler] = compilers
  const chosenSandbox = sandboxes.find(({works}) => works)?.name
  const chosenLinker = (chosenCompiler && (await findFastLinker(chosenCompiler))?.name) ?? ''
  const shortfalls = {
    compiler: ofCompiler(chosenCompiler),
    sandbox: sandboxShortfall(chosenSandbox),
    linker: ofLinker(chosenLinker),
  }
  return {compilers, sandboxes, chosenCompiler, chosenSandbox, chosenLinker, shortfalls}
}

function ofCompiler(compiler: Compiler | undefined): Shortfall {
  if (!compiler) return {cost: 'no C++ compiler: no code can be compiled, run or labelled', fix: compilerFix}
  const cost = compiler.cost === '' ? '' : `${compiler.version}: ${compiler.cost}`
  // The device compiler is based on clang 15, whose messages correction samples quote.
  return {cost, fix: compiler.kind === 'clang' && compiler.major === 15 ? '' : compilerFix}
}

/** The drawback of the sandbox in use, which may be none. */
export function sandboxShortfall(sandbox: SandboxReport['name'] | undefined): Shortfall {
  if (sandbox === undefined) return {cost: 'no sandbox: generated code is neither compiled nor run', fix: sandboxFix}
  if (sandbox !== 'unshare') return {cost: '', fix: ''}
  return {
    cost: 'unshare instead of bubblewrap: about 20 ms more for every compile and run',
    fix: 'Install bubblewrap (`apt install bubblewrap`).',
  }
}

function ofLinker(name: string): Shortfall {
  if (name === 'mold') return {cost: '', fix: ''}
  const cost = name === 'lld' ? 'about 30 ms more for a build' : 'about 60 ms more for a build'
  return {cost, fix: 'Install mold (`apt install mold`).'}
}
