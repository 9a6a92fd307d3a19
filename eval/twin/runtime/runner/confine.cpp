#include "confine.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace twin_host {
namespace {

#if defined(__x86_64__)
constexpr unsigned kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr unsigned kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr unsigned kArchitecture = 0;
#endif

using Calls = std::vector<unsigned>;
using Program = std::vector<sock_filter>;

/// No operator needs them, and a candidate that tries gets a crash with a name.
const Calls& deadly() {
    static const Calls calls = {
        SYS_socket,
        SYS_socketpair,
        SYS_connect,
        SYS_bind,
        SYS_listen,
        SYS_accept4,
        SYS_sendto,
        SYS_sendmsg,
        SYS_clone,
        SYS_execve,
        SYS_execveat,
        SYS_ptrace,
        SYS_process_vm_readv,
        SYS_process_vm_writev,
        SYS_kill,
        SYS_tkill,
        SYS_mount,
        SYS_umount2,
        SYS_unshare,
        SYS_setns,
        SYS_chroot,
        SYS_pivot_root,
        SYS_bpf,
        SYS_perf_event_open,
        SYS_keyctl,
        SYS_add_key,
#ifdef SYS_clone3
        SYS_clone3,
#endif
#ifdef SYS_io_uring_setup
        SYS_io_uring_setup,
#endif
#ifdef SYS_pidfd_send_signal
        SYS_pidfd_send_signal,
#endif
#ifdef SYS_fork
        SYS_fork,
        SYS_vfork,
#endif
#ifdef SYS_accept
        SYS_accept,
#endif
    };
    return calls;
}

/// What computing, printing and ending take.
const Calls& needed() {
    static const Calls calls = {
        SYS_read,
        SYS_readv,
        SYS_write,
        SYS_writev,
        SYS_close,
        SYS_fstat,
        SYS_lseek,
        SYS_munmap,
        SYS_mremap,
        SYS_madvise,
        SYS_brk,
        SYS_rt_sigaction,
        SYS_rt_sigprocmask,
        SYS_rt_sigreturn,
        SYS_sigaltstack,
        SYS_futex,
        SYS_exit,
        SYS_exit_group,
        SYS_getpid,
        SYS_gettid,
        SYS_getppid,
        SYS_getuid,
        SYS_geteuid,
        SYS_getgid,
        SYS_getegid,
        SYS_clock_gettime,
        SYS_clock_getres,
        SYS_clock_nanosleep,
        SYS_nanosleep,
        SYS_gettimeofday,
        SYS_getrandom,
        SYS_getrusage,
        SYS_sched_yield,
        SYS_sched_getaffinity,
        SYS_uname,
        SYS_sysinfo,
        SYS_getcwd,
        SYS_set_robust_list,
        SYS_restart_syscall,
#ifdef SYS_rseq
        SYS_rseq,
#endif
#ifdef SYS_time
        SYS_time,
        SYS_arch_prctl,
#endif
    };
    return calls;
}

/// What loading a library takes besides, and looking for files, which finds what the sandbox shows.
const Calls& loading() {
    static const Calls calls = {
        SYS_pread64,    SYS_newfstatat, SYS_readlinkat, SYS_faccessat, SYS_getdents64,
#ifdef SYS_statx
        SYS_statx,
#endif
#ifdef SYS_faccessat2
        SYS_faccessat2,
#endif
#ifdef SYS_stat
        SYS_stat,       SYS_lstat,      SYS_access,     SYS_readlink,
#endif
    };
    return calls;
}

void returnForCall(Program& program, unsigned call, unsigned action) {
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1));
    program.push_back(BPF_STMT(BPF_RET | BPF_K, action));
}

void loadArgument(Program& program, unsigned number) {
    const auto place = static_cast<unsigned>(offsetof(seccomp_data, args) + number * sizeof(uint64_t));
    program.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, place));
}

constexpr unsigned kRefuse = SECCOMP_RET_ERRNO | 1;  // EPERM

/// Allows the call unless its argument has one of `bits`.
void allowWithout(Program& program, unsigned call, unsigned argument, unsigned bits) {
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4));
    loadArgument(program, argument);
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1));
    program.push_back(BPF_STMT(BPF_RET | BPF_K, kRefuse));
    program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
}

/// Allows the call when its argument is `value`.
void allowFor(Program& program, unsigned call, unsigned argument, unsigned value, unsigned otherwise) {
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4));
    loadArgument(program, argument);
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
    program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    program.push_back(BPF_STMT(BPF_RET | BPF_K, otherwise));
}

/// abort() and raise() signal the thread itself, and not with what only others send.
void allowOwnSignals(Program& program) {
    Program check;
    loadArgument(check, 0);
    check.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(getpid()), 1, 0));
    check.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
    loadArgument(check, 2);
    for (const unsigned signal : {SIGKILL, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGXCPU})
        returnForCall(check, signal, SECCOMP_RET_KILL_PROCESS);
    check.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 0, static_cast<uint8_t>(check.size())));
    program.insert(program.end(), check.begin(), check.end());
}

Program opening() {
    Program program = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
    };
#if defined(__x86_64__)
    // Bit 30 selects the x32 numbering, under which the same calls have other numbers.
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x40000000u, 0, 1));
    program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
#endif
    return program;
}

void allowFiles(Program& program) {
    constexpr unsigned kWriting = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY);
    for (const unsigned call : loading()) returnForCall(program, call, SECCOMP_RET_ALLOW);
    // The second filter, which forbids all this.
    allowFor(program, SYS_prctl, 0, PR_SET_SECCOMP, kRefuse);
    allowWithout(program, SYS_openat, 2, kWriting);
#ifdef SYS_open
    allowWithout(program, SYS_open, 1, kWriting);
#endif
}

void install(Program program) {
    program.push_back(BPF_STMT(BPF_RET | BPF_K, kRefuse));
    sock_fprog filter = {static_cast<unsigned short>(program.size()), program.data()};
    // Refused inside some containers; the sandbox outside is then the only wall.
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

void filterSystemCalls(bool loads) {
    if (kArchitecture == 0) return;
    Program program = opening();
    for (const unsigned call : needed()) returnForCall(program, call, SECCOMP_RET_ALLOW);
    for (const unsigned call : deadly()) returnForCall(program, call, SECCOMP_RET_KILL_PROCESS);
    allowOwnSignals(program);
    // Code comes from a library that is loaded, and from nowhere else afterwards.
    allowWithout(program, SYS_mmap, 2, loads ? 0 : PROT_EXEC);
    allowWithout(program, SYS_mprotect, 2, loads ? 0 : PROT_EXEC);
    if (loads) allowFiles(program);
    install(std::move(program));
}

}  // namespace

void closeFilesFrom(int first) {
#ifdef SYS_close_range
    if (syscall(SYS_close_range, static_cast<unsigned>(first), ~0u, 0u) == 0) return;
#endif
    // A kernel before 5.9, or a sandbox that does not know the call.
    DIR* open = opendir("/proc/self/fd");
    std::vector<int> files;
    while (const dirent* entry = open != nullptr ? readdir(open) : nullptr) {
        const int file = std::atoi(entry->d_name);
        if (file >= first && file != dirfd(open)) files.push_back(file);
    }
    if (open != nullptr) closedir(open);
    for (const int file : files) close(file);
}

void hideMemory() { prctl(PR_SET_DUMPABLE, 0); }

void confineToLoad() {
    const rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_FSIZE, &none);
    const rlimit self = {1, 1};
    setrlimit(RLIMIT_NPROC, &self);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    hideMemory();
    filterSystemCalls(true);
}

void confineToRun() { filterSystemCalls(false); }

}  // namespace twin_host
