import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import ts from 'typescript'

/** Whether the compiler, which `npm test` runs before any test, refuses a file of a tree as it now stands. */
export function openCompiler(root: string): (file: string) => boolean {
  const {config} = ts.readConfigFile(join(root, 'tsconfig.json'), (name) => readFileSync(name, 'utf8')) as {
    config: unknown
  }
  const {fileNames, options} = ts.parseJsonConfigFileContent(config, ts.sys, root)
  // A fault is looked for in the file that holds it, so that no test needs to be read.
  const names = fileNames.filter((name) => !name.startsWith(join(root, 'test/')))
  const versions = new Map<string, number>()
  const service = ts.createLanguageService({
    getScriptFileNames: () => names,
    getScriptVersion: (name) => String(versions.get(name) ?? 0),
    getScriptSnapshot: (name) => {
      const text = ts.sys.readFile(name)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => root,
    getCompilationSettings: () => options,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    ...(ts.sys.realpath && {realpath: ts.sys.realpath}),
  })
  return (file) => {
    const name = join(root, file)
    versions.set(name, (versions.get(name) ?? 0) + 1)
    const refused = service.getSyntacticDiagnostics(name).length > 0 || service.getSemanticDiagnostics(name).length > 0
    versions.set(name, (versions.get(name) ?? 0) + 1)
    return refused
  }
}
