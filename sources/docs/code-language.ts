const known: Record<string, string> = {
  cpp: 'cpp',
  'c++': 'cpp',
  c: 'cpp',
  cc: 'cpp',
  asc: 'cpp',
  bash: 'bash',
  shell: 'bash',
  sh: 'bash',
  cmake: 'cmake',
  python: 'python',
  py: 'python',
  json: 'json',
  plain: 'text',
  text: 'text',
  txt: 'text',
}

const cppWord = /__aicore__|AscendC::|LocalTensor|#include\s*[<"]|TILING_DATA/
const cppLine = /^[^\S\n]*(?:template\s*<|enum class|struct \w+ \{)|;\s*(?:\/\/.*)?$/m

/**
 * The language of a listing by what its author declared, else by what it looks like: `cpp`, `bash`, `cmake`, … or
 * `text`.
 */
export function codeLanguage(code: string, declared?: string): string {
  if (declared !== undefined && declared !== '') return known[declared.toLowerCase()] ?? declared.toLowerCase()
  if ((cppWord.test(code) || cppLine.test(code)) && !/^[^\S\n]*\$ /m.test(code)) return 'cpp'
  if (/^[^\S\n]*(?:cmake_minimum_required|project|add_executable|find_package|set)\s*\(/m.test(code)) return 'cmake'
  if (/^[^\S\n]*(?:\$ |cd |export |bash |cmake |npu-smi|msprof|source )/m.test(code)) return 'bash'
  return 'text'
}
