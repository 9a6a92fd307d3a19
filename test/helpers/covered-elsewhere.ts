import {files, textOf} from './house.ts'

/**
 * Stages whose input is a folder, whose output is files or whose options are functions; a fixture of lines cannot say
 * it, a test of their own does.
 */
export const coveredElsewhere: Record<string, string> = {
  'datasets/parquet/parquet.ts': 'test/datasets/parquet/parquet.test.ts',
  'datasets/card/card.ts': 'test/datasets/card/card.test.ts',
  'datasets/views/arrow-files.ts': 'test/datasets/views/arrow-files.test.ts',
  'datasets/views/views.ts': 'test/datasets/views/views.test.ts',
  'sources/general/general-rows.ts': 'test/sources/general/general-rows.test.ts',
  'pipelines/documentation/correct-formulas.ts': 'test/pipelines/documentation/repair-images.test.ts',
  'pipelines/documentation/repair-images.ts': 'test/pipelines/documentation/repair-images.test.ts',
  'pipelines/code/scenarios/scenarios.ts': 'test/pipelines/code/scenarios/real-operators.test.ts',
  'pipelines/code/side-check.ts': 'test/pipelines/code/side-check.test.ts',
  'pipelines/code/specialise/pairs.ts': 'test/pipelines/code/specialise/pairs.test.ts',
  'pipelines/documentation/worked/worked-questions.ts': 'test/pipelines/documentation/worked/worked-questions.test.ts',
  'pipelines/documentation/worked/worked-runs.ts': 'test/pipelines/documentation/worked/worked-runs.test.ts',
  'pipelines/documentation/worked/worked-cot.ts': 'test/pipelines/documentation/worked/worked-cot.test.ts',
  'pipelines/facts/source-runs.ts': 'test/pipelines/facts/source-runs.test.ts',
  'pipelines/facts/decisions/decide.ts': 'test/pipelines/facts/decisions/decide.test.ts',
  'pipelines/code/evaluated/evaluated-cot.ts': 'test/pipelines/code/evaluated/evaluated-cot.test.ts',
  'pipelines/code/evaluated/pair-requests.ts': 'test/pipelines/code/evaluated/evaluated-cot.test.ts',
  'pipelines/code/evaluated/same-code.ts': 'test/pipelines/code/evaluated/pair-tasks.test.ts',
  'datasets/dedup/dedup-decisions.ts': 'test/datasets/dedup/dedup-ranges.test.ts',
  'datasets/dedup/dedup-pairs.ts': 'test/datasets/dedup/dedup-ranges.test.ts',
  'datasets/dedup/dedup-signatures.ts': 'test/datasets/dedup/dedup-ranges.test.ts',
  'datasets/dedup/signature-export.ts': 'test/datasets/dedup/dedup-ranges.test.ts',
  'pipelines/ascendcraft/factory/ascendcraft-designs.ts': 'test/pipelines/ascendcraft/factory/designs.test.ts',
  'pipelines/ascendcraft/factory/ascendcraft-operators.ts': 'test/pipelines/ascendcraft/factory/operators.test.ts',
  'pipelines/ascendcraft/generate/craft.ts': 'test/pipelines/ascendcraft/generate/craft-stage.test.ts',
  'pipelines/ascendcraft/search/faster-designs.ts': 'test/pipelines/ascendcraft/search/faster-designs.test.ts',
  'pipelines/ascendcraft/search/search-rows.ts': 'test/pipelines/ascendcraft/search/search-rows.test.ts',
  'pipelines/code/evaluated/pair-tasks.ts': 'test/pipelines/code/evaluated/pair-tasks.test.ts',
}

/** A benchmark's stages take checkouts; a test beside them says what becomes of these. */
export function isTestedBeside(stage: string): boolean {
  const [, folder, name] = /^(eval\/bench\/[\w-]+)\/(?:.*\/)?([\w-]+\.ts)$/.exec(stage) ?? []
  const tests = files.filter((file) => file.startsWith(`test/${folder}/`) && file.endsWith('.test.ts'))
  return folder !== undefined && tests.some((file) => textOf(file).includes(`/${name}'`))
}
