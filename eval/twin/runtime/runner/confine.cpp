#include "confine.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
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

const std::vector<unsigned>& forbidden() {
    static const std::vector<unsigned> calls = {
        SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept4, SYS_sendto, SYS_sendmsg,
        SYS_clone, SYS_execve, SYS_execveat, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kill, SYS_tkill,
        SYS_mount, SYS_umount2, SYS_unshare, SYS_setns, SYS_chroot, SYS_pivot_root, SYS_bpf, SYS_perf_event_open, SYS_keyctl, SYS_add_key,
#ifdef SYS_clone3
        SYS_clone3,
#endif
#ifdef SYS_io_uring_setup
        SYS_io_uring_setup,
#endif
#ifdef SYS_fork
        SYS_fork, SYS_vfork,
#endif
#ifdef SYS_accept
        SYS_accept,
#endif
    };
    return calls;
}

/// What changes files. The outputs are open before the candidate runs, so nothing else need be written, and many files
/// fill a disk.
const std::vector<unsigned>& filing() {
    static const std::vector<unsigned> calls = {
        SYS_mkdirat, SYS_mknodat, SYS_symlinkat, SYS_linkat, SYS_unlinkat, SYS_renameat2, SYS_truncate, SYS_fchmod, SYS_fchmodat, SYS_fchownat,
        SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_memfd_create,
#ifdef SYS_openat2
        SYS_openat2,
#endif
#ifdef SYS_renameat
        SYS_renameat,
#endif
#ifdef SYS_mkdir
        SYS_creat, SYS_mkdir, SYS_rmdir, SYS_mknod, SYS_symlink, SYS_link, SYS_unlink, SYS_rename, SYS_chmod, SYS_chown, SYS_lchown,
#endif
    };
    return calls;
}

void returnForCall(std::vector<sock_filter>& program, unsigned call, unsigned action) {
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1));
    program.push_back(BPF_STMT(BPF_RET | BPF_K, action));
}

/// Opening a file to write it. `flags` is the argument that says so; its upper half is of no meaning.
void refuseWriting(std::vector<sock_filter>& program, unsigned call, unsigned flags) {
    const unsigned low = offsetof(seccomp_data, args) + flags * sizeof(__u64);
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4));
    program.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, low));
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY), 0, 1));
    program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
    program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
}

void filterSystemCalls() {
    if (kArchitecture == 0) return;
    std::vector<sock_filter> program = {
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
    for (const unsigned call : forbidden()) returnForCall(program, call, SECCOMP_RET_KILL_PROCESS);
    for (const unsigned call : filing()) returnForCall(program, call, SECCOMP_RET_ERRNO | EPERM);
    refuseWriting(program, SYS_openat, 2);
#ifdef SYS_open
    refuseWriting(program, SYS_open, 1);
#endif
    program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    sock_fprog filter = {static_cast<unsigned short>(program.size()), program.data()};
    // Refused inside some containers; the sandbox outside is then the only wall.
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

}  // namespace

void confine(size_t fileBytes) {
    const rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    const rlimit file = {fileBytes, fileBytes};
    setrlimit(RLIMIT_FSIZE, &file);
    const rlimit self = {1, 1};
    setrlimit(RLIMIT_NPROC, &self);
    prctl(PR_SET_DUMPABLE, 0);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    filterSystemCalls();
}

}  // namespace twin_host
