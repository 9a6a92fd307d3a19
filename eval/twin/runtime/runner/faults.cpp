#include "faults.h"

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "../device/report.h"
#include "division.h"

namespace twin_host {
namespace {

const std::vector<Allocation>* known = nullptr;
Line channel(-1, -1);
bool reverse = false;
uint8_t stackForSignals[64 * 1024];

[[noreturn]] void sayViolation(const twin::Violation& violation) {
    channel.say("violated " + violationJson(violation) + "\n");
    _exit(0);
}

/// Not async-signal-safe, as it allocates; the process ends in any case, and a second fault in here ends it by the
/// default action.
void reportAccess(const uint8_t* address) {
    for (const Allocation& allocation : *known) {
        const bool inside = address >= allocation.data && address < allocation.data + allocation.bytes;
        const bool near =
            address + kGuardBytes >= allocation.data && address < allocation.data + allocation.bytes + kGuardBytes;
        if (inside && allocation.readOnly) {
            const std::string offset = std::to_string(address - allocation.data);
            sayViolation({"write-to-input", twin::currentBlock(), twin::currentApi(), allocation.name,
                          "byte " + offset + " of \"" + allocation.name +
                              "\" was written through a pointer; it may only be read",
                          "write results to an output of the operator"});
        }
        if (!inside && near) {
            const long offset = address - allocation.data;
            sayViolation({"gm-out-of-range", twin::currentBlock(), twin::currentApi(), allocation.name,
                          "byte " + std::to_string(offset) + " of \"" + allocation.name +
                              "\" was accessed through a pointer; it has " + std::to_string(allocation.bytes) +
                              " bytes",
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
    char text[256];
    const int length = std::snprintf(text, sizeof text, "fault {\"block\":%d,\"api\":\"%s\"}\n", twin::currentBlock(),
                                     twin::currentApi());
    if (length > 0) channel.say(std::string(text, static_cast<size_t>(length)));
    raise(number);
}

}  // namespace

void catchFaults(const Line& line, const std::vector<Allocation>& allocations, bool reverseOrder) {
    channel = line;
    known = &allocations;
    reverse = reverseOrder;
    stack_t stack{};
    stack.ss_sp = stackForSignals;
    stack.ss_size = sizeof(stackForSignals);
    sigaltstack(&stack, nullptr);
    struct sigaction action {};
    action.sa_sigaction = onFault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(number, &action, nullptr);
}

}  // namespace twin_host
