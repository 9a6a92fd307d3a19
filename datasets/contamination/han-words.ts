import {readFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {Jieba} from '@node-rs/jieba'

let dictionary: Jieba | undefined

/** Cuts Chinese text into words. Made once and only where something is cut: it takes 0.3 s and some 30 MB. */
export function chineseWords(): Jieba {
  return (dictionary ??= Jieba.withDict(readFileSync(dictionaryFile())))
}

/** The package's own module of dictionaries would hold on to 11 MB that nobody needs once they are read. */
const dictionaryFile = () => createRequire(import.meta.url).resolve('@node-rs/jieba/dict.txt')
