import type {KernelStatement} from '../ast.ts'
import type {StageKind} from '../primitives.ts'
import {primitives} from '../primitives.ts'
import type {Findings} from './findings.ts'
import {visitKernel} from './walk.ts'

const stageOf: Record<StageKind, string> = {
  copyin: 'has loads only',
  compute: 'has vector operations only',
  copyout: 'has stores only',
}

/** Checks placement: operations in their stages, stages and barriers outside of stages, allocations at the top. */
export function checkStructure(body: readonly KernelStatement[], findings: Findings): void {
  let begun = false
  visitKernel(body, (statement, around) => {
    const {stage} = around
    switch (statement.kind) {
      case 'operation': {
        const own = primitives[statement.primitive].stage
        if (own === stage) return
        const where = stage ? `in a ${stage} stage, which ${stageOf[stage]}` : 'outside of the stages'
        const message = `tl.${statement.primitive} stands ${where}`
        return findings.refuse(statement, 'stage', message, `put it inside \`with tl.${own}():\``)
      }
      case 'stage':
        begun = true
        if (stage)
          findings.refuse(
            statement,
            'stage',
            `a ${statement.stage} stage stands in a ${stage} stage`,
            'write one after the other',
          )
        return
      case 'sync_all':
        if (stage) findings.refuse(statement, 'stage', 'tl.sync_all stands in a stage', 'put it between stages')
        return
      case 'alloc':
        if (!begun) return
        return findings.refuse(
          statement,
          'alloc',
          `${statement.name} is allocated below a stage, loop or \`if\``,
          'allocate at the top of the kernel',
        )
      case 'for':
      case 'if':
        begun = true
        return
      case 'assign':
    }
  })
}
