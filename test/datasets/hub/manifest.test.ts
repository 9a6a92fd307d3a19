import {expect, test} from 'vitest'
import {Manifest, manifestText, textArtifact} from '../../../datasets/hub/manifest.ts'

const hello = 'c0535e4be2b79ffd93291305436bf889314e4a3faec05ecffcbb7df31ad9e51a'

test('a text is listed with its bytes and its hash', () => {
  expect(textArtifact('report', 'a/b.md', 'Hello world!')).toEqual({
    kind: 'report',
    path: 'a/b.md',
    rows: 0,
    bytes: 12,
    sha256: hello,
  })
  expect(textArtifact('report', 'ä', 'ä').bytes).toBe(2)
})

test('files stand in the order of their paths, so that the same files give the same text', () => {
  const [a, b] = [textArtifact('report', 'a', 'x'), textArtifact('report', 'B', 'y')]
  expect(manifestText([a, b])).toBe(manifestText([b, a]))
  expect(Manifest.parse(JSON.parse(manifestText([a, b]))).files.map(({path}) => path)).toEqual(['B', 'a'])
  expect(manifestText([])).toBe('{\n "files": []\n}\n')
})
