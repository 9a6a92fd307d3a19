import type {ExampleFact, ParameterFact} from '../section-facts.ts'
import type {Prototype} from '../prototype.ts'
import type {CallFact} from './calls.ts'

/** One question that the page can answer, with every fact that its reasoning and answer use. */
export type Ask =
  | {
      kind: 'parameter'
      api: string
      purpose: string
      parameter: ParameterFact
      uses: ParameterUse[]
      constraints: string[]
    }
  | {kind: 'range'; api: string; parameter: ParameterFact; sentence: string; low: number; high: number; value: number}
  | {
      kind: 'multiple'
      api: string
      sentence: string
      unitBytes: number
      dtype: string
      dtypeBytes: number
      count: number
    }
  | {
      kind: 'data-types'
      api: string
      owner: string
      sentence: string
      supported: string[]
      asked: string | undefined
      constraints: string[]
    }
  | {
      kind: 'constraints'
      api: string
      purpose: string
      isCall: boolean
      items: {text: string; about: string[]}[]
      dtypes: string[]
    }
  | {
      kind: 'prototypes'
      api: string
      purpose: string
      prototypes: Prototype[]
      shared: string[]
      forms: FormFact[]
      parameters: ParameterFact[]
    }
  | {
      kind: 'example'
      api: string
      purpose: string
      example: ExampleFact
      call: CallFact | undefined
      size: SizeFact | undefined
      apis: string[]
      constraints: string[]
      rules: string[]
    }
  | {
      kind: 'purpose'
      api: string
      sentences: string[]
      prototype: Prototype | undefined
      operands: ParameterFact[]
      constraints: string[]
    }
  | {kind: 'returns'; api: string; purpose: string; sentences: string[]; prototypes: Prototype[]}
  | {kind: 'pipe'; api: string; purpose: string; sentence: string}
  | {kind: 'topic-code'; page: string; heading: string; example: ExampleFact; apis: string[]; points: string[]}
  | {kind: 'topic'; page: string; heading: string; points: string[]}

export interface ParameterUse {
  prototype: Prototype
  /** 1-based. */
  position: number
  of: number
  type: string
}

/** What sets one form of a call apart. */
export interface FormFact {
  /** The function's name where the forms have different ones, else ''. */
  name: string
  /** Parameters that not every form has. */
  own: string[]
  /** An earlier form (0-based) with the same parameter names, and the parameters whose type differs. */
  twin: {form: number; differs: {name: string; here: string; there: string}[]} | undefined
}

/** What a literal element count comes to, where the example leaves no doubt about the type. */
export interface SizeFact {
  count: number
  dtype: string
  bytes: number
  /** Bytes of which the page wants a multiple; undefined where it demands none. */
  unitBytes: number | undefined
}

/** The questions of one kind. */
export type AskOf<Kind extends Ask['kind']> = Extract<Ask, {kind: Kind}>
