import {existsSync} from 'node:fs'
import {z} from 'zod'
import {serverNames} from '../../trainers/serving/server.ts'
import {mixParts} from '../../datasets/mix.ts'
import {OperatorTrait} from '../../datasets/contamination/operator-identity.ts'
import {configs, type Config as DataConfig} from '../../datasets/schema/export.ts'
import {GeneralSource} from '../../datasets/schema/general.ts'
import {Reading} from '../../datasets/schema/mark.ts'
import {CotSample, PairStrategy} from '../../datasets/schema/sample.ts'
import {SourceFolder, TaskFolder} from '../../datasets/schema/source-folder.ts'
import {viewNames} from '../../datasets/views/view-forms.ts'
import {defaultSoc, socNames} from '../../eval/executors/chips.ts'
import {cannLevels} from '../../eval/executors/cann/find-cann.ts'
import {Recheck} from '../../eval/second-run.ts'
import {RewardRule} from '../../eval/serve/reward.ts'
import {describeFaults} from '../../engine/config-issues.ts'
import {PipelineError} from '../../engine/errors.ts'
import {parseScalar, readYaml, setPath} from '../../engine/given-values.ts'
import {Budget, TeacherProfile} from '../../engine/llm/profile.ts'
import {sourceKinds} from '../../sources/kinds.ts'
import {cacheFolder} from './cache-folder.ts'
import {WorkersOptions} from './workers-config.ts'

const foldersByKind = Object.fromEntries(sourceKinds.map(({name}) => [name, z.array(SourceFolder).optional()]))

const Sources = z.strictObject({
  // Read through `foldersOf`: the kinds are only known at run time.
  ...(foldersByKind as unknown as Record<never, never>),
  /** General chains of thought to read instead of the paper's three data sets. */
  general: z.array(GeneralSource).min(1).optional(),
  /** Training tasks to use instead of the bundled ones. */
  tasks: z.array(TaskFolder).optional(),
  /** Evaluation tasks: never training data; everything is decontaminated against them. */
  heldOut: z.array(TaskFolder).optional(),
  /** Benchmark checkouts to decontaminate against, besides the held-out tasks. */
  benchmarks: z.array(z.string()).default([]),
})

const ExecutorOptions = z.strictObject({
  /** What judges: the CPU twin, or CANN, the vendor's own tools. */
  kind: z.enum(['twin', 'cann']).default('twin'),
  /** How far CANN goes: it compiles, simulates, or runs on a board. Default: the most that `doctor` finds. */
  level: z.enum(cannLevels).optional(),
  /**
   * A level of CANN that judges again what `kind` found correct, and has the last word: what it refutes, or cannot
   * judge, is not correct.
   */
  confirm: z.enum(['none', ...cannLevels]).default('none'),
  /** Host whose CANN is used, over ssh: `user@host`, or a name of ssh's configuration. Default: this machine. */
  host: z.string().min(1).optional(),
  /** Configuration file of ssh for `host`. Default: ssh's own. */
  sshConfig: z.string().min(1).optional(),
  /** Boards that CANN may use, by the numbers that `doctor` lists. Default: all. */
  devices: z.array(z.int().nonnegative()).min(1).optional(),
  /** Python beside the boards that has `torch_npu`, which then runs models that the twin found correct. */
  python: z.string().min(1).optional(),
  /** A compiler's path or name; default: clang-15, another clang, then g++. */
  compiler: z.string().optional(),
  /** `auto` uses bubblewrap, then unshare, and refuses to run candidates without either. */
  sandbox: z.enum(['auto', 'bwrap', 'unshare', 'none-and-i-accept-the-risk']).default('auto'),
  /** Chip that operators are judged for. */
  soc: z.enum(socNames).default(defaultSoc),
  /** Candidates built and run at once. */
  concurrency: z.int().positive().default(2),
  /**
   * Which candidates are judged twice, so that no label depends on chance: those that ran and `failed`, `all` or
   * `none`.
   */
  recheck: Recheck.default('failed'),
})

const SampleOptions = z.strictObject({
  /** Candidates to write for each task. */
  candidatesPerTask: z.int().positive().default(12),
  /** Share of mutants whose faults compile and only show at run time. */
  faultsThatRun: z.number().min(0).max(1).default(0.5),
  /** Share of mutants with two or three faults. */
  severalFaults: z.number().min(0).max(1).default(0.2),
  /** Most preference pairs of one task. */
  maxPairsPerTask: z.int().positive().default(8),
  /** Most pairs that choose the same text. */
  maxPairsPerChosen: z.int().positive().default(2),
  /** Most single replies (KTO) of one task. */
  maxUnpairedPerTask: z.int().positive().default(12),
  /**
   * Whether the sides of a pair are `far`, as if by two authors, or `near`: the same names and layout, so that the
   * fault is nearly all that sets them apart (columns `changed_lines`, `changed_share`). Sides that are nearly equal
   * may lower the likelihood of both (Razin et al., arXiv:2410.08847), hence `far`.
   */
  pairDistance: z.enum(['far', 'near']).default('far'),
  /**
   * Which label is preferred to which (paper, Table 4): `execution-fail` green to orange, `compile-fail` green to
   * purple, `orange-over-purple`.
   */
  pairStrategies: z.array(PairStrategy).min(1).default(['execution-fail', 'compile-fail']),
  /** Calls of an operator to keep for each combination of types. */
  callsPerType: z.int().positive().default(2),
  /** Programs per side of a pair that change one decision and are run, as evidence for it; 0 runs none. */
  counterfactuals: z.int().nonnegative().default(4),
  /** Worked questions of one kind about one API, with numbers and code that runs. */
  workedQuestions: z.int().nonnegative().default(2),
  /** Designs that the factory of operators (recipe `ascendcraft`) draws, all different in structure. */
  craftedDesigns: z.int().positive().default(200),
  /** Programs that the search for faster ones (recipe `speedups`) models for each of these operators. */
  craftedSteps: z.int().positive().default(24),
  /** Languages of documentation questions and answers; `page` is that of each page. */
  languages: z
    .array(z.enum(['page', 'zh', 'en']))
    .min(1)
    .default(['page']),
  /** Most questions that a model may ask about one section of documentation. */
  questionsPerSection: z.int().positive().default(4),
  /** Least share of device code among kernel-level samples, and in their answers; 0 keeps all. */
  deviceShare: z.number().min(0).max(0.95).default(0.6),
  /** Most of the documentation samples, as a share, that may use one question pattern. */
  sharePerPattern: z.number().positive().max(1).default(0.02),
  /**
   * Further output folders whose `candidates` go into the same data set, such as those judged by another executor.
   * What one of the runs refutes is correct in none.
   */
  candidatesFrom: z.array(z.string().min(1)).default([]),
})

const LicenceList = z.array(z.string().min(1)).min(1)

const mixPartNames = [...CotSample.shape.kind.options, ...Object.keys(mixParts)]

/** By name, so that the error can list the valid names. */
function recordOf<T extends z.ZodType>(names: readonly string[], value: T) {
  const known = (given: Record<string, unknown>) => Object.keys(given).every((name) => names.includes(name))
  return z.record(z.string(), value).refine(known, `unknown key; expected one of ${names.join(', ')}`)
}

/** How general data sets are filtered. */
const GeneralOptions = z.strictObject({
  /** Languages to keep. */
  languages: z
    .array(z.enum(['zh', 'en']))
    .min(1)
    .default(['zh', 'en']),
  /** NFKC also turns ² into 2 and full-width marks into half-width ones. */
  unicode: z.enum(['NFC', 'NFKC']).default('NFC'),
  /** Fewest tokens of reasoning and answer together; `export.maxTokens` is the upper limit. */
  minTokens: z.int().nonnegative().default(64),
  /** Quantiles of perplexity, per language, between which samples are kept. */
  perplexity: z
    .strictObject({
      /** Lower quantile. */
      low: z.number().min(0).max(1),
      /** Upper quantile. */
      high: z.number().min(0).max(1),
    })
    .refine(({low, high}) => low < high, 'expected low to be below high')
    .default({low: 0.002, high: 0.98}),
})

const ExportOptions = z.strictObject({
  /** Compression of Parquet pages; use `snappy` for readers without zstd. */
  codec: z.enum(['zstd', 'snappy']).default('zstd'),
  /** Share of origins in the test split. */
  testFraction: z.number().min(0).max(0.5).default(0.05),
  /** Longest sample in tokens of `tokenizer`, prompt and completion together in the model's chat template. */
  maxTokens: z.int().positive().default(32_768),
  /**
   * Divides the search for copies into this many ranges of hashes, each of which is a record that workers can take; the
   * copies are the same. Use about one for each million records. Default: one process does all.
   */
  dedupRanges: z.int().positive().max(10_000).optional(),
  /** Most samples of one kind whose code differs only in names. */
  maxPerFamily: z.int().positive().default(8),
  /**
   * A sample is refused if at least this share of its eight-word runs (code and numbers excluded) already occurs in
   * five kept samples; 1 keeps all.
   */
  maxRepeated: z.number().min(0).max(1).default(0.8),
  /**
   * Traits for refusing samples about a held-out or benchmark operator even if they share no text with it: `request`
   * (the prompt asks for it by name and the reply is operator code), `name`, `formula`, and `dtype` to require a common
   * data type as well. Default `request`: a model trained to write an operator by name must not be tested on it. `[]`:
   * only content decides.
   */
  refuseOperatorsBy: z
    .array(OperatorTrait)
    .refine(
      (traits) => traits.length === 0 || traits.some((one) => one !== 'dtype'),
      'dtype alone does not identify an operator',
    )
    .default(['request']),
  /** Trainer formats to write next to the data, in `views/`; each repeats its texts, so none by default. */
  views: z.array(z.enum(viewNames)).default([]),
  /** Most tokens of `tokenizer` in a row of the view `packed`; longer rows of the data are skipped. */
  window: z.int().positive().default(32_768),
  /** Also write Arrow files (Feather) of all configurations to `views/arrow/`; as large as the rows in memory. */
  arrow: z.boolean().default(false),
  /**
   * What may be exported, by SPDX identifier or LicenseRef; `permissive` means all that allow any use. For all
   * configurations, or by configuration: `{sft: [permissive], apis: [LicenseRef-CANN-OSL-2.0]}`. Default in
   * datasets/gates/licence-gate.ts.
   */
  licences: z.union([LicenceList, recordOf(configs, LicenceList)]).optional(),
  /**
   * Folder of the target model, with its `tokenizer.json` and chat template, for counting lengths and rendering texts.
   * Default: Qwen3's template, and tokens estimated with o200k.
   */
  tokenizer: z.string().min(1).optional(),
  /** Share of the train split of `sft`, by origin: 0.25 is a subset of 0.5, and 0.5 of 1. */
  share: z.number().positive().max(1).default(1),
  /** Ratio of rows between the parts of the train split of `sft`: `{documentation: 1, code: 2}`. Default: all rows. */
  mix: recordOf(mixPartNames, z.number().positive()).optional(),
  /** Markdown file with your own text for the card: publisher, purpose, contact. */
  words: z.string().min(1).optional(),
  /** Rows that a reader marked so in the viewer are refused: `sound`, `false`, `misleading`, `hollow`. */
  refuseMarked: z.array(Reading).default(['false']),
  /** Runs whose dropped records are written to `rejected/` in the data set: of the releases, or of all. */
  rejected: z.enum(['releases', 'all']).default('releases'),
})

const JudgeOptions = z.strictObject({
  /** Reward for each verdict. */
  reward: RewardRule.prefault({}),
  /** Longest queue of candidates; beyond it, requests get 429 with a time to wait. */
  queue: z.int().positive().default(4096),
  /** Largest body of a request, in MiB. */
  mostMib: z.int().positive().max(1024).default(32),
  /** Environment variable with the token that clients must send. */
  tokenVariable: z.string().min(1).default('JUDGE_TOKEN'),
})

const ServingOptions = z.strictObject({
  /** Default: by the job's hardware: vllm-ascend, vllm, or transformers on a CPU. */
  server: z.enum(serverNames).optional(),
  /** Python interpreter of the server's environment. Default: the job's own. */
  python: z.string().min(1).optional(),
  /** Port of the server. Cached replies are keyed by it too: with 0 (any free port), none is reused. */
  port: z.int().min(0).max(65_535).default(8000),
  /** Number of devices to spread one copy of the model over. */
  tensor: z.int().positive().default(1),
  /** Tokens of prompt and reply together. Default: the limit in the model's configuration. */
  maxLength: z.int().positive().optional(),
})

/** The whole configuration: a YAML file, then `ASCEND_COT_…` variables, then flags, each overriding the one before. */
export const Config = z.strictObject({
  /** Run directories, data set and report. */
  out: z.string().min(1).default('runs'),
  /**
   * Folder of teacher replies and compiled files, shared by all runs. Default: `.ascend-cot` in the working folder if
   * it exists, otherwise `~/.cache/ascend-cot` (`$XDG_CACHE_HOME`; on macOS in `~/Library/Caches`).
   */
  cache: z.string().min(1).default('.ascend-cot'),
  /** Seed of all random choices. */
  seed: z.string().min(1).default('ascend-cot'),
  /** Process only this many records of each source, evenly from all its folders: for a trial before a costly run. */
  limit: z.int().positive().optional(),
  /**
   * Models by profile: `documentation`, `vision`, `kernel`, `correction`, `candidates`, `craft`, `perplexity`. Without
   * a profile, its stages use the offline teacher.
   */
  teachers: z.record(z.string(), TeacherProfile).default({}),
  /** Folder with your own prompts: a file named like a built-in prompt replaces it. */
  prompts: z.string().min(1).optional(),
  /** Spending limit of all teachers together; a run whose forecast exceeds it does not start. */
  budget: Budget.default({}),
  sources: Sources.prefault({}),
  executor: ExecutorOptions.prefault({}),
  /** Other machines that work on costly stages. */
  workers: WorkersOptions.prefault({}),
  judge: JudgeOptions.prefault({}),
  /** How `eval --candidates job:<id>` serves a training job's model. */
  serving: ServingOptions.prefault({}),
  samples: SampleOptions.prefault({}),
  general: GeneralOptions.prefault({}),
  export: ExportOptions.prefault({}),
})
export type Config = z.infer<typeof Config>

/** The folders that were configured for a kind of source. */
export function foldersOf({sources}: Config, kind: string): SourceFolder[] | undefined {
  return Object.entries(sources).find(([name]) => name === kind)?.[1] as SourceFolder[] | undefined
}

/** The licences that may be exported in a configuration of the data set; undefined for the gate's own list. */
export function licencesFor({export: {licences}}: Config, data: DataConfig): readonly string[] | undefined {
  return Array.isArray(licences) ? licences : licences?.[data]
}

interface ConfigSources {
  /** Path of a YAML file; when undefined, `ascend-cot.yaml` is read if it exists. */
  file?: string | undefined
  env: Readonly<Record<string, string | undefined>>
  /** Values by path, e.g. `{'budget.tokens': '100000'}`; each is a YAML scalar or list. */
  flags?: Readonly<Record<string, string>>
}

const defaultFile = 'ascend-cot.yaml'
const environmentPrefix = 'ASCEND_COT_'
const ofUser = {what: 'configuration file', fix: 'Check the path given with --config.'}

/**
 * @throws PipelineError `config-invalid`: the key, the flag, variable or file it came from, and what was expected
 */
export async function readConfig({file, env, flags = {}}: ConfigSources): Promise<Config> {
  const values = file === undefined && !existsSync(defaultFile) ? {} : await readYaml(file ?? defaultFile, ofUser)
  const spoken = new Map<string, string>()
  for (const {path, text, said} of [...environmentValues(env), ...flagValues(flags)]) {
    setPath(values, path, parseScalar(text, said))
    // The last value wins, so it is moved after the variable's.
    spoken.delete(path)
    spoken.set(path, said)
  }
  const result = Config.safeParse({cache: cacheFolder(env), ...values}, {reportInput: true})
  if (result.success) return result.data
  const {message, fix} = describeFaults(withoutSecrets(result.error), {
    what: 'The configuration',
    schema: Config,
    spoken,
    file: file ?? defaultFile,
  })
  throw new PipelineError('config-invalid', message, {fix})
}

/** A value for one key, and how it was given. */
interface GivenValue {
  path: string
  text: string
  said: string
}

function flagValues(flags: Readonly<Record<string, string>>): GivenValue[] {
  return Object.entries(flags).map(([path, text]) => ({path, text, said: `--set ${path}=${shown(path, text)}`}))
}

/** A teacher's value may be a key or a URL with a password. */
function withoutSecrets(error: z.ZodError): z.ZodError {
  const issues = error.issues.map((issue) => {
    const isPlain = issue.path[0] !== 'teachers' || ['number', 'boolean'].includes(typeof issue.input)
    const {input: _, ...rest} = issue
    return isPlain ? issue : rest
  })
  return new z.ZodError(issues as typeof error.issues)
}

/** Errors are printed and stored: no long values, and nothing about a teacher, whose URL may contain a password. */
function shown(path: string, text: string): string {
  return text.length > 40 || path.startsWith('teachers') ? '…' : text
}

/** `ASCEND_COT_BUDGET__TOKENS` → `budget.tokens`; `__` steps into a section, `_` joins words of a key. */
function environmentValues(env: ConfigSources['env']): GivenValue[] {
  const camel = (_: string, letter: string) => letter.toUpperCase()
  const joined = (part: string) => part.toLowerCase().replace(/_([a-z0-9])/g, camel)
  return Object.entries(env).flatMap(([name, text]) => {
    if (!name.startsWith(environmentPrefix) || text === undefined) return []
    const path = name.slice(environmentPrefix.length).split('__').map(joined).join('.')
    return [{path, text, said: `the variable ${name}`}]
  })
}
