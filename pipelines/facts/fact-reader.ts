import {remembering} from '../../cpp/remember.ts'
import type {HostFacts, KernelFacts} from '../../datasets/schema/code-facts.ts'
import type {OperatorSource} from '../../datasets/schema/operator.ts'
import {hostFacts} from './host-facts.ts'
import {kernelFacts} from './kernel-facts.ts'

export interface FactReader {
  host(source: OperatorSource): Promise<HostFacts>
  kernel(source: OperatorSource): Promise<KernelFacts>
}

/** Reads a side once, however many records hold it: scenarios of a pair, mutants with a fault on the other side. */
export function factReader(): FactReader {
  const [host, kernel] = [once(hostFacts), once(kernelFacts)]
  return {host, kernel}
}

function once<Facts>(read: (source: OperatorSource) => Promise<Facts>): (source: OperatorSource) => Promise<Facts> {
  const known = remembering((json) => read(JSON.parse(json) as OperatorSource))
  return (source) => known(JSON.stringify(source))
}
