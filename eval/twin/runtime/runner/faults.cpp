#include "faults.h"

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "division.h"
#include "report.h"

namespace twin_host {
namespace {

const std::vector<Allocation>* known = nullptr;
bool reverse = false;
uint8_t stackForSignals[64 * 1024];

/// Not async-signal-safe, as it allocates; the process ends in any case, and a second fault in here ends it by the
/// default action.
void reportAccess(const uint8_t* address) {
    for (const Allocation& allocation : *known) {
        const bool inside = address >= allocation.data && address < allocation.data + allocation.bytes;
        const bool near = address + kGuardBytes >= allocation.data && address < allocation.data + allocation.bytes + kGuardBytes;
        if (inside && allocation.readOnly) {
            const std::string offset = std::to_string(address - allocation.data);
            reportViolation({"write-to-input", twin::currentBlock(), twin::currentApi(), allocation.name,
                             "byte " + offset + " of \"" + allocation.name + "\" was written through a pointer; it may only be read",
                             "write results to an output of the operator"});
        }
        if (!inside && near) {
            const long offset = address - allocation.data;
            reportViolation({"gm-out-of-range", twin::currentBlock(), twin::currentApi(), allocation.name,
                             "byte " + std::to_string(offset) + " of \"" + allocation.name + "\" was accessed through a pointer; it has " + std::to_string(allocation.bytes) + " bytes",
                             "check the index against the length of this block's share"});
        }
    }
}

void onFault(int number, siginfo_t* info, void* context) {
    // Catlass takes a remainder by the next block's number of tiles, which is 0 at the last block, and runs on Atlas
    // A2.
    if (number == SIGFPE && twin::currentBlock() >= 0 && stepOverDivision(context, reverse)) return;
    signal(number, SIG_DFL);
    if (number == SIGSEGV || number == SIGBUS) reportAccess(static_cast<const uint8_t*>(info->si_addr));
    char line[256];
    const int length = std::snprintf(line, sizeof(line), "twin: %s at address %p, block %d, last API %s\n", strsignal(number), info->si_addr,
                                     twin::currentBlock(), twin::currentApi()[0] == 0 ? "none" : twin::currentApi());
    if (length > 0) (void)!write(STDERR_FILENO, line, static_cast<size_t>(length));
    raise(number);
}

}  // namespace

void catchFaults(const std::vector<Allocation>& allocations, bool reverseOrder) {
    known = &allocations;
    reverse = reverseOrder;
    stack_t stack{};
    stack.ss_sp = stackForSignals;
    stack.ss_size = sizeof(stackForSignals);
    sigaltstack(&stack, nullptr);
    struct sigaction action{};
    action.sa_sigaction = onFault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(number, &action, nullptr);
}

}  // namespace twin_host
