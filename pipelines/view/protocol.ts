import type {Config, Split} from '../../datasets/schema/export.ts'
import type {Mark} from '../../datasets/schema/mark.ts'
import type {StageCounts} from '../../engine/progress.ts'
import type {Spent} from '../../engine/run.ts'

// What the server of the viewer and its page say to each other, as JSON.

/** A Parquet file of a data set; its bytes are at `/api/files/{id}`, by `Range`. */
export interface DataFile {
  /** Changes with the file. */
  id: string
  /** In the data set. */
  path: string
  config: Config
  split: Split
  bytes: number
}

/** `/api/folder`: what there is to see. */
export interface Folder {
  title: string
  files: readonly DataFile[]
  /** Whether there are runs to follow, and to trace a row through. */
  hasRuns: boolean
  /** Names of score runs, the one that was asked for first. */
  scores: readonly string[]
  /** Who reads, unless they give another name; '' where nothing can be marked. */
  reader: string
  /** Whether the page begins with the overview. */
  opensOnOverview?: boolean
}

/** A part of a section of the overview; texts are Markdown. */
export type Part =
  | {
      kind: 'table'
      title: string
      note: string
      columns: readonly string[]
      names: number
      rows: readonly (readonly string[])[]
    }
  | {kind: 'bars'; title: string; note: string; tally: readonly (readonly [name: string, count: number])[]}
  | {kind: 'text'; title: string; text: string}
  | ({kind: 'curve'; title: string; note: string} & Curve)

/** Lines over one axis; null leaves a gap. */
export interface Curve {
  lines: readonly {name: string; points: readonly (readonly [x: number, y: number | null])[]}[]
}

export interface Section {
  title: string
  parts: readonly Part[]
}

/** `/api/overview`: what all runs of the folder made. */
export interface Overview {
  sections: readonly Section[]
}

/** A page in one file, with what it would ask the server for. */
export interface Embedded {
  /** Answers by path. */
  answers: Readonly<Record<string, unknown>>
  /** Rows of the files of `/api/folder`, by their ids. */
  rows: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>
}

/** The present state of a run. */
export interface RunState {
  recipe: string
  state: 'running' | 'finished' | 'stopped' | 'interrupted'
  startedAt?: string | undefined
  endedAt?: string | undefined
  error?: {message: string; fix: string} | undefined
  stages: readonly StageCounts[]
  /** Records that will reach each stage, as far as it can be told. */
  totals: readonly (number | null)[]
  /** What teachers were asked so far. */
  spent?: Spent | undefined
  /** Outputs by label over seconds. */
  labels: Curve['lines']
}

/** `/api/runs` */
export interface Runs {
  runs: readonly RunState[]
}

/** Records that a stage dropped for one reason. */
export interface DropReason {
  reason: string
  /** Of our own stages only. */
  means?: string | undefined
  todo?: string | undefined
  count: number
  examples: readonly {id: string; detail: string; about: string}[]
}

/** `/api/runs/{run}/drops/{stage}` */
export interface Drops {
  reasons: readonly DropReason[]
}

/** One step of a record through the runs. */
export interface WayStep {
  recipe: string
  stage: string
  /** The role of a candidate in a pair. */
  as?: 'chosen' | 'rejected' | undefined
  input: string
  outputs: readonly string[]
  drops: readonly {reason: string; detail: string}[]
  failure?: string | undefined
}

/** `/api/runs/{run}/records/{from}`: some of what a run wrote, in its order. */
export interface Records {
  /** In all. */
  count: number
  records: readonly {id: string; about: string}[]
}

/** `/api/records/{id}` */
export interface RecordWay {
  id: string
  way: readonly WayStep[]
  record: unknown
  /** The record as a row of a data set, if it is one that may become a row. */
  row: {config: Config; cells: Readonly<Record<string, unknown>>} | null
}

/** `/api/timelines/rows/{file}/{row}/{core}`, `records/{id}/{core}`, `scores/{name}/{number}/{core}`. */
export interface Timelines {
  /** Modelled timelines of the code as SVG; of two, the slower or worse one first. */
  kernels: readonly (
    | {title: string; svg: string; core: number; cores: number}
    /** Why there is none. */
    | {title: string; why: string}
  )[]
}

/** One judged attempt at a task. */
export interface Attempt {
  task: string
  category: string
  /** '' if there is one per task. */
  attempt: string
  outcome: string
  why: string
}

/** `/api/scores/{name}` */
export interface ScoreBoard {
  name: string
  title: string
  attempts: readonly Attempt[]
}

/** `/api/scores/{name}/attempts/{number}` */
export interface AttemptDetail extends Attempt {
  prompt: string
  reasoning: string
  files: readonly {path: string; text: string}[]
  /** A `Verdict`; null if there is none. */
  verdict: unknown
}

/** `/api/marks`, and what POST adds to it. */
export interface Marks {
  marks: readonly Mark[]
}
export type NewMark = Omit<Mark, 'at'>
