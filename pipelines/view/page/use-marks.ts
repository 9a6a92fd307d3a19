import {useCallback, useEffect, useState} from 'preact/hooks'
import type {Mark, Reading} from '../../../datasets/schema/mark.ts'
import type {Marks, NewMark} from '../protocol.ts'
import {embedded} from './embedded.ts'
import {ask} from './server-answers.ts'

/** What keys 1 to 4 say of a row. */
export const readingWords: Readonly<Record<Reading, string>> = {
  sound: 'it holds',
  false: 'it states something untrue',
  misleading: 'its words suggest something untrue',
  hollow: 'it says nothing',
}
export const readingNames = Object.keys(readingWords) as Reading[]

export interface MarkBook {
  marks: readonly Mark[]
  /** Who reads. */
  reader: string
  setReader(name: string): void
  /** What went wrong with the last mark; '' if nothing did. */
  problem: string
  add(mark: Omit<NewMark, 'reader'>): Promise<void>
}

const remembered = 'ascend-cot reader'

/** Marks of a data set, as they are kept beside it. */
export function useMarks(hasData: boolean, usual: string): MarkBook {
  const [marks, setMarks] = useState<readonly Mark[]>([])
  const [reader, setReader] = useState(() => (embedded ? null : localStorage.getItem(remembered)) ?? usual)
  const [problem, setProblem] = useState('')
  useEffect(() => {
    if (hasData && !embedded)
      ask<Marks>('/api/marks').then(
        (all) => setMarks(all.marks),
        (error: Error) => setProblem(error.message),
      )
  }, [hasData])
  const add = useCallback(
    async (mark: Omit<NewMark, 'reader'>) => {
      const made = await ask<Mark>('/api/marks', {...mark, reader: reader || usual}).catch((error: Error) => error)
      setProblem(made instanceof Error ? made.message : '')
      if (!(made instanceof Error)) setMarks((before) => [...before, made])
    },
    [reader, usual],
  )
  const named = (name: string) => {
    localStorage.setItem(remembered, name)
    setReader(name)
  }
  return {marks, reader, setReader: named, problem, add}
}
