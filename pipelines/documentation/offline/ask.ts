import type {CheckAsk} from './kinds/check-ask.ts'
import type {ConstraintsAsk} from './kinds/constraints-ask.ts'
import type {ExampleAsk} from './kinds/example-ask.ts'
import type {FormsAsk} from './kinds/forms-ask.ts'
import type {NeedAsk} from './kinds/need-ask.ts'
import type {ParameterAsk} from './kinds/parameter-ask.ts'
import type {ReturnsAsk} from './kinds/returns-ask.ts'
import type {TopicAsk, TopicCodeAsk} from './kinds/topic-ask.ts'

/** One question that the page can answer, with every fact that its reasoning and answer use. */
export type Ask =
  | NeedAsk
  | FormsAsk
  | ParameterAsk
  | CheckAsk
  | ConstraintsAsk
  | ReturnsAsk
  | ExampleAsk
  | TopicAsk
  | TopicCodeAsk
