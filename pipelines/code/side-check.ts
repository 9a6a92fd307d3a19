import {availableParallelism} from 'node:os'
import type {Executor, Program} from '../../datasets/schema/executor.ts'
import {CheckedProject, OperatorProject, type Side} from '../../datasets/schema/operator.ts'
import {each, type Stage} from '../../engine/stage.ts'

interface SideCheckOptions {
  executor: Executor
  /** A project as an executor builds it. */
  program: (project: OperatorProject) => Program
}

/**
 * Compiles each side of an operator once, as a whole: the kernel through its entry with every template that the entry
 * uses, the host file by file. A side that does not compile drops nothing, since some of its files may.
 */
export default function sideCheck({executor, program}: SideCheckOptions): Stage<OperatorProject, CheckedProject> {
  return {
    name: 'side-check',
    version: 1,
    options: {executor: executor.identity},
    input: OperatorProject,
    output: CheckedProject,
    run: each(
      async (project, context) => {
        // What is launched directly, or is outside operators, has no definition to build it by.
        if (project.host.length === 0) return [{...project, verdicts: {}}]
        const whole = program(project)
        const compile = (side: Side) => executor.compile({side, program: whole}, context.signal)
        return [{...project, verdicts: {host: await compile('host'), kernel: await compile('kernel')}}]
      },
      {concurrency: availableParallelism()},
    ),
  }
}
