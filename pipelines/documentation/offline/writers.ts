import type {Ask} from './ask.ts'
import type {Draft} from './draft.ts'

/** What writes each kind of question: its reasoning goes from the question to the facts, from these to the answer. */
export type Writers = {readonly [Kind in Ask['kind']]: (ask: Extract<Ask, {kind: Kind}>) => Draft}

/** The words on one question. */
export function write<Kind extends Ask['kind']>(ask: Extract<Ask, {kind: Kind}>, writers: Writers): Draft {
  return (writers[ask.kind as Kind] as (ask: Extract<Ask, {kind: Kind}>) => Draft)(ask)
}
