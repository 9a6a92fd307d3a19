import {existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import type {Execution, Executor} from '../../../datasets/schema/executor.ts'
import type {Verdict} from '../../../datasets/schema/verdict.ts'
import {probeSandboxes} from '../../../eval/executors/sandbox.ts'
import twin from '../../../eval/executors/twin.ts'
import {PipelineError} from '../../../engine/errors.ts'
import {addCase, addLength, fixtureProgram} from '../../helpers/operators.ts'
import {testCompiler} from '../../helpers/real-executor.ts'
import {twinCache} from '../../helpers/test-cache.ts'

// What hostile code tries. Beside sandbox.test.ts, which shows that the walls stand,
// this shows what a candidate gains by running at them, and which verdict it gets for it.

const kernel = 'op_kernel/add_demo.cpp'
const host = 'op_host/add_demo.cpp'
const here = '// place of planted faults'
const float32 = {x: 'float32', y: 'float32', z: 'float32'} as const
const secret = 'a secret of this machine that no candidate may see'

const scratch = mkdtempSync(join(tmpdir(), 'escape-test-'))
/** Beside the work directory, as a reference and other data of a run are. */
const outside = join(scratch, 'outside')
const working = (await probeSandboxes(join(scratch, 'probe'))).filter(({works}) => works).map(({name}) => name)
afterAll(() => rmSync(scratch, {recursive: true, force: true}))

/** As clang and as g++ say it. */
const noFile = expect.stringMatching(/file not found|No such file or directory/) as string

type Edit = [path: string, from: string, to: string]

describe.each(working)('under %s', (sandbox) => {
  let executor: Executor
  const workDirectory = join(scratch, `work-${sandbox}`)

  beforeAll(async () => {
    mkdirSync(outside, {recursive: true})
    writeFileSync(join(outside, 'reference.ts'), secret)
    executor = await twin({
      cacheDirectory: twinCache,
      workDirectory,
      sandbox,
      ...testCompiler,
      limits: {
        run: {cpuSeconds: 4, wallSeconds: 20, memoryBytes: 2 ** 31, fileBytes: 2 ** 20},
        compile: {cpuSeconds: 10, wallSeconds: 40, memoryBytes: 2 ** 31},
      },
    })
  }, 180_000)

  async function run(...edits: Edit[]): Promise<Execution> {
    const built = await executor.build(fixtureProgram('add', 'AddDemo', float32, ...edits))
    if (!built.ok) throw new Error(JSON.stringify(built.verdict))
    try {
      return await executor.execute(built.build, addCase())
    } finally {
      await built.build.dispose()
    }
  }
  /** `code` in the tiling function, `global` before all host code. */
  const inHost = (code: string, global = '') =>
    run(
      [
        host,
        '#include "register/op_def_registry.h"',
        [
          '#include "register/op_def_registry.h"',
          ...[
            'csignal',
            'cstdio',
            'cstdlib',
            'cstring',
            'fcntl.h',
            'string',
            'sys/resource.h',
            'sys/stat.h',
            'unistd.h',
          ].map((header) => `#include <${header}>`),
          '#include <vector>',
          global,
        ].join('\n'),
      ],
      [host, 'AddDemoTilingData tiling;', `AddDemoTilingData tiling; ${code}`],
    )
  async function refused(text: string, side: 'host' | 'kernel' = 'host'): Promise<Verdict> {
    const started = performance.now()
    const verdict = await executor.compile({side, text, tiling: '', dtypes: {}})
    expect((performance.now() - started) / 1000).toBeLessThan(40)
    return verdict
  }
  async function buildWith(...edits: Edit[]): Promise<Verdict | undefined> {
    const built = await executor.build(fixtureProgram('add', 'AddDemo', float32, ...edits))
    if (!built.ok) return built.verdict
    await built.build.dispose()
    return undefined
  }
  const say = (execution: Execution) => JSON.stringify(execution)

  describe('reading', () => {
    test('bytes by .incbin fail to compile', async () => {
      for (const path of ['/etc/passwd', join(outside, 'reference.ts')]) {
        const embedded = `#include "register/op_def_registry.h"\nasm(".incbin \\"${path}\\"");`
        const verdict = await buildWith([host, '#include "register/op_def_registry.h"', embedded])
        expect(verdict?.outcome).toBe('compile-failed')
        expect(JSON.stringify(verdict)).toMatch(/Could not find incbin file|file not found: /)
        expect(JSON.stringify(verdict)).not.toMatch(/root:|secret of this/)
      }
    })
    test('an include of a file of this machine says only that there is none', async () => {
      const verdict = await refused(`#include "${join(outside, 'reference.ts')}"\n`)
      expect(verdict).toMatchObject({outcome: 'compile-failed', diagnostics: [{message: noFile}]})
      expect(JSON.stringify(verdict)).not.toContain('secret of this')
    })
    test('a directory that climbs out of the build is refused', async () => {
      const verdict = await buildWith([
        host,
        '#include "register/op_def_registry.h"',
        '#include "../../outside/reference.ts"',
      ])
      expect(verdict).toMatchObject({outcome: 'compile-failed', diagnostics: [{message: noFile}]})
    })
    test('a static initialiser sees no file either', async () => {
      const paths = ['/etc/passwd', '/etc/shadow', join(outside, 'reference.ts'), '/root', '/home']
      const probe = `static const int found = [] {
          for (const char* path : {${paths.map((path) => `"${path}"`).join(', ')}}) {
              if (access(path, F_OK) == 0) { fputs(path, stderr); _exit(7); }
          }
          return 0;
        }();`
      expect((await inHost('', probe)).outcome).toBe('ran')
    })
    test('neither the environment nor the processes of this machine are to be seen', async () => {
      const probe = `
        int others = 0;
        for (int pid = 2; pid < 70000; ++pid) {
            char path[64];
            snprintf(path, sizeof path, "/proc/%d/cmdline", pid);
            if (pid == getpid() || access(path, F_OK) != 0) continue;
            FILE* f = fopen(path, "r");
            char name[16] = {0};
            if (f && fgets(name, sizeof name, f) && strstr(name, "node")) ++others;
            if (f) fclose(f);
        }
        const std::vector<std::string> expected = {"PATH=", "HOME=", "TMPDIR=", "LC_ALL=", "GLIBC_TUNABLES=",
                                                   "PWD=", "OLDPWD=", "SHLVL=", "_="};
        for (char** e = environ; *e; ++e) {
            bool known = false;
            for (const std::string& name : expected) known = known || strncmp(*e, name.c_str(), name.size()) == 0;
            if (!known) ++others;
        }
        if (others > 0) return ge::GRAPH_FAILED;`
      expect((await inHost(probe)).outcome).toBe('ran')
    })
  })

  describe('taking the machine down', () => {
    test('a fork bomb dies at its first fork', async () => {
      expect(await inHost('for (;;) fork();')).toMatchObject({
        outcome: 'crashed',
        cause: expect.stringContaining('SIGSYS'),
      })
    })
    test('a fork bomb in a static initialiser too', async () => {
      expect(await inHost('', 'static const int bomb = [] { for (;;) fork(); return 0; }();')).toMatchObject({
        outcome: 'crashed',
        cause: expect.stringContaining('SIGSYS'),
      })
    })
    test('an endless loop in a static initialiser is timed out', async () => {
      expect(
        await inHost('', 'static const int loop = [] { for (volatile int i = 0;; ++i) {} return 0; }();'),
      ).toMatchObject({outcome: 'timed-out'})
    })
    test('a memory bomb meets its limit', async () => {
      const execution = await inHost('std::vector<char*> all; for (;;) { all.push_back(new char[1 << 26]); }')
      expect(['crashed', 'launch-failed']).toContain(execution.outcome)
      expect(say(execution)).toMatch(/bad_alloc|SIGKILL|SIGABRT/)
    })
    test('no file can be made, so none can fill the disk', async () => {
      const made = [
        'fopen("big", "w")',
        'open("big", O_RDWR | O_CREAT, 0600) >= 0',
        'open(".", O_TMPFILE | O_RDWR, 0600) >= 0',
        'mkdir("folder", 0700) == 0',
        'mkfifo("pipe", 0600) == 0',
        'symlink("a", "b") == 0',
        'link("operator.so", "c") == 0',
        'memfd_create("d", 0) >= 0',
      ].join(' || ')
      expect((await inHost(`if (${made}) return ge::GRAPH_FAILED;`, '#include <sys/mman.h>')).outcome).toBe('ran')
    })
    test('files that it holds cannot be filled', async () => {
      const execution = await inHost(
        `std::string block(1 << 16, 0x61);
        for (int fd = 3; fd < 200; ++fd)
            for (int i = 0; i < 100; ++i) if (write(fd, block.data(), block.size()) < 0) break;`,
      )
      expect(execution).toMatchObject({outcome: 'launch-failed', message: expect.stringContaining('the pipe')})
    })
    test('giant output to the terminal is cut, and the run still judged', async () => {
      const execution = await inHost(
        `std::string block(1 << 16, 0x61);
        for (int i = 0; i < 2000; ++i) { fwrite(block.data(), 1, block.size(), stderr); }`,
      )
      expect(execution.outcome).toBe('ran')
      expect(say(execution).length).toBeLessThan(1 << 20)
    })
    test('endless constexpr evaluation is refused by the compiler', async () => {
      const verdict = await refused(
        `constexpr long spin() { long n = 0; for (long i = 0; i >= 0; ++i) n += i & 1; return n; }
constexpr long value = spin();
`,
      )
      expect(verdict.outcome).toBe('compile-failed')
    })
    test('templates without end are refused by the compiler', async () => {
      const verdict = await refused(
        'template <int N> struct Deep { using type = typename Deep<N + 1>::type; };\nDeep<0>::type x;\n',
      )
      expect(verdict.outcome).toBe('compile-failed')
    })
    test('an object as large as the address space is refused, and fills no disk', async () => {
      const big = 'static char big[1L << 40] = {1}; AddDemoTilingData tiling; if (big[5]) return ge::GRAPH_FAILED;'
      const ended = await buildWith([host, 'AddDemoTilingData tiling;', big]).catch((error: unknown) => error)
      // A crash of the compiler over it is no verdict and a failed record; a refusal is one.
      if (ended instanceof PipelineError) expect(ended).toMatchObject({code: 'executor-failed', scope: 'record'})
      else expect(['compile-failed', 'link-failed', 'not-covered']).toContain((ended as Verdict).outcome)
    })
    test('includes that double without end are refused', async () => {
      const verdict = await buildWith(
        [kernel, here, here],
        [host, '#include "register/op_def_registry.h"', '#include "add_demo.cpp"\n#include "add_demo.cpp"'],
      )
      expect(verdict?.outcome).toBe('compile-failed')
    })
  })

  describe('forging a result', () => {
    test('outputs written by hand before an early exit count for nothing', async () => {
      const forge = `
        for (int i = 0; i < 4; ++i) {
            char name[32];
            snprintf(name, sizeof name, "output-%d.bin", i);
            FILE* f = fopen(name, "w");
            if (!f) continue;
            for (int k = 0; k < 4096; ++k) fputc(0, f);
            fclose(f);
        }
        _exit(0);`
      expect(await inHost(forge)).toMatchObject({outcome: 'crashed', cause: expect.stringContaining('status 0')})
      expect(await inHost('', `static const int early = [] { ${forge} return 0; }();`)).toMatchObject({
        outcome: 'crashed',
        cause: expect.stringContaining('status 0'),
      })
    })
    test('a destructor that runs after the kernel has no say', async () => {
      expect((await inHost('', 'struct Late { ~Late() { _exit(3); } }; static Late late;')).outcome).toBe('ran')
    })
  })

  describe('signal games', () => {
    test('a process that ignores its CPU limit is timed out all the same', async () => {
      expect(await inHost('signal(SIGXCPU, SIG_IGN); for (volatile long i = 0;; ++i) {}')).toMatchObject({
        outcome: 'timed-out',
      })
    })
    test('a process that blocks every signal is timed out all the same', async () => {
      expect(
        await inHost(
          `sigset_t all; sigfillset(&all); sigprocmask(SIG_SETMASK, &all, nullptr);
          rlimit more = {60, 60}; setrlimit(RLIMIT_CPU, &more);
          for (volatile long i = 0;; ++i) {}`,
        ),
      ).toMatchObject({outcome: 'timed-out'})
    })
    test('raising a signal at itself is a crash with its name', async () => {
      expect(await inHost('raise(SIGSEGV);')).toMatchObject({outcome: 'crashed'})
      expect(await inHost('abort();')).toMatchObject({outcome: 'crashed', cause: expect.stringContaining('SIGABRT')})
    })
    test('a signal to another process ends the sender', async () => {
      expect(await inHost('kill(-1, SIGKILL);')).toMatchObject({
        outcome: 'crashed',
        cause: expect.stringContaining('SIGSYS'),
      })
      expect(await inHost('kill(getppid(), SIGKILL);')).toMatchObject({
        outcome: 'crashed',
        cause: expect.stringContaining('SIGSYS'),
      })
    })
    test('a handler that swallows faults and spins is timed out', async () => {
      expect(
        await inHost('signal(SIGSEGV, +[](int) { for (volatile long i = 0;; ++i) {} }); *(volatile int*)8 = 1;'),
      ).toMatchObject({outcome: 'timed-out'})
    })
  })

  describe('writing', () => {
    test('the reference, the twin and other builds stay as they were', async () => {
      const other = await executor.build(fixtureProgram('add', 'AddDemo', float32))
      if (!other.ok) throw new Error(JSON.stringify(other.verdict))
      const library = join(other.build.directory, 'kernel.so')
      const before = readFileSync(library)
      const targets = [
        join(outside, 'reference.ts'),
        library,
        join(other.build.directory, 'planted'),
        join(outside, 'planted'),
        '/usr/lib/planted',
        '/planted',
        '/dev/shm/planted',
      ]
      const probe = `for (const char* path : {${targets.map((path) => `"${path}"`).join(', ')}}) {
          FILE* f = fopen(path, "w");
          if (f) { fputs("forged", f); fclose(f); }
          unlink(path);
          rename("case.txt", path);
        }`
      await inHost(probe)
      expect(readFileSync(join(outside, 'reference.ts'), 'utf8')).toBe(secret)
      expect(readFileSync(library).equals(before)).toBe(true)
      expect(targets.filter((path) => path.endsWith('planted') && existsSync(path))).toEqual([])
      expect(await executor.execute(other.build, addCase())).toMatchObject({outcome: 'ran'})
      await other.build.dispose()
    })
    test('the twin that all candidates share cannot be written', async () => {
      const probe = `
        FILE* maps = fopen("/proc/self/maps", "r");
        char line[4096];
        int opened = 0;
        while (maps && fgets(line, sizeof line, maps)) {
            char* path = strchr(line, 47);
            if (!path || !strstr(path, "libtwin.so")) continue;
            path[strcspn(path, "\\n")] = 0;
            if (open(path, O_WRONLY) >= 0 || unlink(path) == 0) ++opened;
        }
        if (opened) return ge::GRAPH_FAILED;`
      expect((await inHost(probe)).outcome).toBe('ran')
    })
  })

  describe('links left for the judge to follow', () => {
    /** Runs while the host's library is loaded, the one time at which folders can still be looked into. */
    const plant = (code: string) =>
      inHost(
        '',
        `#include <dirent.h>
        static const int planted = [] {
          std::string folder;
          DIR* here = opendir(".");
          while (const dirent* entry = here ? readdir(here) : nullptr)
            if (strncmp(entry->d_name, "case-", 5) == 0) folder = entry->d_name;
          if (folder.empty()) _exit(9);
          std::string output = folder + "/output-0.bin";
          unlink(output.c_str()); ${code}
          return 0;
        }();`,
      )

    // What the judge makes of links that are there all the same is in case-files.test.ts.
    test.each([
      ['a link to a file of this machine', `symlink("${join(outside, 'as-long-as-the-output')}", output.c_str());`],
      ['a link to an endless device', 'symlink("/dev/zero", output.c_str());'],
      ['a pipe', 'mkfifo(output.c_str(), 0600);'],
      [
        'a folder exchanged for a link',
        `rename(folder.c_str(), (folder + "-away").c_str()); symlink("${join(outside, 'folder')}", folder.c_str());`,
      ],
    ])('%s cannot take the place of an output', async (_, code) => {
      mkdirSync(join(outside, 'folder'), {recursive: true})
      for (const path of ['as-long-as-the-output', 'folder/output-0.bin'])
        writeFileSync(join(outside, path), Buffer.alloc(4 * addLength, 7))
      const sound = await run()
      const execution = await plant(code)
      if (sound.outcome !== 'ran' || execution.outcome !== 'ran') throw new Error(say(execution))
      expect(execution.outputs).toEqual(sound.outputs)
      expect(readFileSync(join(outside, 'folder', 'output-0.bin'))[0]).toBe(7)
    })
    test('files outside survive when a build with links to them is removed', async () => {
      await plant(`symlink("${outside}", (folder + "/link").c_str()); symlink("${outside}", "link");`)
      expect(readdirSync(outside)).toContain('reference.ts')
    })
  })

  test('a candidate cannot place files outside its build', async () => {
    const program = fixtureProgram('add', 'AddDemo', float32)
    const built = await executor.build({
      ...program,
      files: [
        ...program.files,
        {path: '../../outside/planted.h', text: 'x'},
        {path: join(outside, 'planted.h'), text: 'x'},
      ],
    })
    expect(existsSync(join(outside, 'planted.h'))).toBe(false)
    if (built.ok) await built.build.dispose()
  })
})
