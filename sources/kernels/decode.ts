import {decodeText} from '../docs/encoding.ts'

/**
 * Source text with plain line ends; undefined for a file that is not text. Comments of old files are in GB18030 or
 * Latin-1; code itself is ASCII in each of them, so a wrong guess spoils a comment and never a program.
 */
export function decodeSource(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return decodeText(bytes)?.text.replaceAll('\r\n', '\n')
  const text = decodeText(bytes)?.text ?? new TextDecoder('windows-1252').decode(bytes)
  return text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
}
