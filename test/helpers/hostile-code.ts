import {join} from 'node:path'
import type {SourceFile} from '../../datasets/schema/operator.ts'

/** What somebody who wants more than a verdict writes into an operator that is otherwise right. */
export interface HostileCode {
  /** Whether the code asks the system for something, so that headers declare it. */
  asksSystem?: boolean
  /** In the tiling function. */
  tiling?: string
  /** Before all other code of the host side: what stands there may run before the tiling function does. */
  host?: string
  /** Before all other code of the kernel's side. */
  kernel?: string
  /** In the kernel itself. */
  launched?: string
}

const registry = '#include "register/op_def_registry.h"\n'
const headers = ['csignal', 'cstdio', 'cstdlib', 'cstring', 'fcntl.h', 'string', 'sys/resource.h', 'sys/stat.h']
const hostHeaders = [...headers, 'unistd.h', 'vector'].map((header) => `#include <${header}>\n`).join('')

/** The files of an operator with hostile code in them. */
export function attacked(
  files: readonly SourceFile[],
  {asksSystem, tiling = '', host = '', kernel = '', launched = ''}: HostileCode,
): SourceFile[] {
  const edit = (text: string, from: string | RegExp, to: (found: string) => string) => {
    if (text.search(from) < 0) throw new TypeError(`attacked: there is no ${String(from)}`)
    return text.replace(from, to)
  }
  return files.map((file) => {
    const {path, text} = file
    if (path.startsWith('op_kernel/') && path.endsWith('.cpp'))
      return {path, text: edit(`${kernel}\n${text}`, /extern "C"[^{]*\{/, (found) => `${found} ${launched}`)}
    if (!path.startsWith('op_host/') || !path.endsWith('.cpp')) return file
    const begun = edit(text, registry, (found) => `${found}${asksSystem ? hostHeaders : ''}${host}\n`)
    return {path, text: edit(begun, /\w+TilingData tiling;/, (found) => `${found} ${tiling}`)}
  })
}

/** Code that writes over, removes and replaces files. */
export function overwriting(paths: readonly string[]): HostileCode {
  return {
    asksSystem: true,
    tiling: `for (const char* path : {${quoted(paths)}}) {
          FILE* f = fopen(path, "w");
          if (f) { fputs("forged", f); fclose(f); }
          unlink(path);
          rename("case.txt", path);
        }`,
  }
}

const quoted = (paths: readonly string[]) => paths.map((path) => `"${path}"`).join(', ')

/** As the initialiser of a global, which runs while the host's library is loaded. */
const early = (name: string, code: string) => `static const int ${name} = [] { ${code} return 0; }();`

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

/** The one time at which folders can still be looked into is while the host's library is loaded. */
const planting = (code: string): HostileCode => ({
  asksSystem: true,
  host: `#include <dirent.h>
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
})

/**
 * All of it, by what it tries.
 * @param outside a folder beside the work directory; `reference.ts` in it is what nobody may see
 */
export function hostileCode(outside: string) {
  const reference = join(outside, 'reference.ts')
  return {
    ...readingCode(reference),
    ...exhaustingCode,
    'outputs written by hand in the tiling': {asksSystem: true, tiling: forge},
    'outputs written by hand before the tiling': {asksSystem: true, host: early('forged', forge)},
    'a destructor after the kernel': {
      asksSystem: true,
      host: 'struct Late { ~Late() { _exit(3); } }; static Late late;',
    },
    ...signallingCode,
    'files of others overwritten': overwriting([
      reference,
      join(outside, 'planted'),
      '/usr/lib/planted',
      '/planted',
      '/dev/shm/planted',
    ]),
    'the twin overwritten': {
      asksSystem: true,
      tiling: `
        FILE* maps = fopen("/proc/self/maps", "r");
        char line[4096];
        int opened = 0;
        while (maps && fgets(line, sizeof line, maps)) {
            char* path = strchr(line, 47);
            if (!path || !strstr(path, "libtwin.so")) continue;
            path[strcspn(path, "\\n")] = 0;
            if (open(path, O_WRONLY) >= 0 || unlink(path) == 0) ++opened;
        }
        if (opened) return ge::GRAPH_FAILED;`,
    },
    'a link to a file of this machine': planting(
      `symlink("${join(outside, 'as-long-as-the-output')}", output.c_str());`,
    ),
    'a link to an endless device': planting('symlink("/dev/zero", output.c_str());'),
    'a pipe': planting('mkfifo(output.c_str(), 0600);'),
    'a folder exchanged for a link': planting(
      `rename(folder.c_str(), (folder + "-away").c_str()); symlink("${join(outside, 'folder')}", folder.c_str());`,
    ),
    'links to a folder outside': planting(
      `symlink("${outside}", (folder + "/link").c_str()); symlink("${outside}", "link");`,
    ),
  } satisfies Readonly<Record<string, HostileCode>>
}

const readingCode = (reference: string) => ({
  'bytes of the machine by .incbin': {host: 'asm(".incbin \\"/etc/passwd\\"");'},
  'bytes of the reference by .incbin': {host: `asm(".incbin \\"${reference}\\"");`},
  'bytes of the machine in the kernel': {kernel: '__asm__(".incbin \\"/etc/passwd\\"");'},
  'an include of the machine': {host: '#include "/etc/passwd"'},
  'an include of the reference': {host: `#include "${reference}"`},
  'an include that climbs': {host: '#include "../../outside/reference.ts"'},
  'an include of the kernel that climbs': {kernel: '#include "../../../../../../etc/passwd"'},
  'a look for files': {
    asksSystem: true,
    host: early(
      'found',
      `for (const char* path : {${quoted(['/etc/passwd', '/etc/shadow', reference, '/root', '/home'])}}) {
              if (access(path, F_OK) == 0) { fputs(path, stderr); _exit(7); }
          }`,
    ),
  },
  'a look for processes and variables': {
    asksSystem: true,
    tiling: `
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
        if (others > 0) return ge::GRAPH_FAILED;`,
  },
})

const exhaustingCode = {
  'a fork bomb': {asksSystem: true, tiling: 'for (;;) fork();'},
  'a fork bomb before the tiling': {asksSystem: true, host: early('bomb', 'for (;;) fork();')},
  'an endless loop': {tiling: 'for (volatile int i = 0;; i = 1) {}'},
  'an endless loop before the tiling': {host: early('loop', 'for (volatile int i = 0;; ++i) {}')},
  'an endless kernel': {launched: 'for (volatile int i = 0;; i = 1) {}'},
  'a memory bomb': {tiling: 'for (;;) { char* volatile block = new char[1 << 26]; block[0] = 1; }'},
  'a fault': {tiling: '*(volatile int*)8 = 1;'},
  'files made': {
    asksSystem: true,
    host: '#include <sys/mman.h>',
    tiling: `if (${[
      'fopen("big", "w")',
      'open("big", O_RDWR | O_CREAT, 0600) >= 0',
      'open(".", O_TMPFILE | O_RDWR, 0600) >= 0',
      'mkdir("folder", 0700) == 0',
      'mkfifo("pipe", 0600) == 0',
      'symlink("a", "b") == 0',
      'link("operator.so", "c") == 0',
      'memfd_create("d", 0) >= 0',
    ].join(' || ')}) return ge::GRAPH_FAILED;`,
  },
  'files filled': {
    asksSystem: true,
    tiling: `std::string block(1 << 16, 0x61);
        for (int fd = 3; fd < 200; ++fd)
            for (int i = 0; i < 100; ++i) if (write(fd, block.data(), block.size()) < 0) break;`,
  },
  'giant output to the terminal': {
    asksSystem: true,
    tiling: `std::string block(1 << 16, 0x61);
        for (int i = 0; i < 2000; ++i) { fwrite(block.data(), 1, block.size(), stderr); }`,
  },
  'endless constexpr evaluation': {
    host: `constexpr long spin() { long n = 0; for (long i = 0; i >= 0; ++i) n += i & 1; return n; }
constexpr long value = spin();
`,
  },
  'templates without end': {
    host: 'template <int N> struct Deep { using type = typename Deep<N + 1>::type; };\nDeep<0>::type x;\n',
  },
  'an object as large as the address space': {
    tiling: 'static char big[1L << 40] = {1}; if (big[5]) return ge::GRAPH_FAILED;',
  },
  'includes that double without end': {host: '#include __FILE__\n#include __FILE__'},
}

const signallingCode = {
  'the CPU limit ignored': {asksSystem: true, tiling: 'signal(SIGXCPU, SIG_IGN); for (volatile long i = 0;; ++i) {}'},
  'every signal blocked': {
    asksSystem: true,
    tiling: `sigset_t all; sigfillset(&all); sigprocmask(SIG_SETMASK, &all, nullptr);
          rlimit more = {60, 60}; setrlimit(RLIMIT_CPU, &more);
          for (volatile long i = 0;; ++i) {}`,
  },
  'a fault at itself': {asksSystem: true, tiling: 'raise(SIGSEGV);'},
  'an abort': {asksSystem: true, tiling: 'abort();'},
  'a signal to all': {asksSystem: true, tiling: 'kill(-1, SIGKILL);'},
  'a signal to the parent': {asksSystem: true, tiling: 'kill(getppid(), SIGKILL);'},
  'a handler that spins': {
    asksSystem: true,
    tiling: 'signal(SIGSEGV, +[](int) { for (volatile long i = 0;; ++i) {} }); *(volatile int*)8 = 1;',
  },
}
