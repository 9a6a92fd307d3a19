// How a program that launches its kernels itself ends when a rule is broken.
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "../device/report.h"
#include "device.h"

namespace twin::direct {
namespace {

// As BSD's EX_SOFTWARE; programs end with small numbers of their own.
constexpr int kBrokenRule = 70;
uint8_t stackForSignals[64 * 1024];

/// Not async-signal-safe, as it allocates; the program ends in any case, and a second fault in here ends it by the
/// default action.
void explain(const uint8_t* address) {
    const int block = currentBlock();
    for (const auto& [data, one] : allocations()) {
        const auto* end = one.reserved + one.reservedBytes;
        if (address < one.reserved || address >= end) continue;
        const std::string name = "allocation " + std::to_string(one.number);
        const std::string place = "byte " + std::to_string(address - one.data) + " of " + name + ", which has " +
                                  std::to_string(one.bytes) + " bytes";
        if (block < 0) {
            endWith({"host-access", -1, "", name, "the host accessed " + place + " of device memory",
                     "copy it with aclrtMemcpy: the host cannot reach device memory by its address"});
        }
        endWith({"gm-out-of-range", block, currentApi(), name, place + ", was accessed through a pointer",
                 "check the index against the length of this block's share"});
    }
    if (block >= 0) {
        endWith({"memory-fault", block, currentApi(), "", "the kernel used an address that is no memory of the device",
                 "derive addresses from the kernel's arguments and tensors, and stay inside of them"});
    }
}

void onFault(int number, siginfo_t* info, void*) {
    signal(number, SIG_DFL);
    if (number == SIGSEGV || number == SIGBUS) explain(static_cast<const uint8_t*>(info->si_addr));
    if (number == SIGABRT && currentBlock() >= 0) {
        endWith({"assert-failed", currentBlock(), currentApi(), "", "an assertion of the kernel failed; see above",
                 "make the condition hold, or correct it"});
    }
    raise(number);
}

}  // namespace

void endWith(const Violation& v) {
    std::fflush(nullptr);
    const std::string where = v.block < 0 ? "" : "block " + std::to_string(v.block) + ", ";
    const std::string api = v.api.empty() ? "" : v.api + ": ";
    std::fprintf(stderr, "device: %s%s%s: %s\ndevice: %s\n", where.c_str(), api.c_str(), v.rule.c_str(),
                 v.message.c_str(), v.fix.c_str());
    if (hooks().broken != nullptr) hooks().broken(v);
    const char* path = std::getenv("TWIN_VIOLATION");
    std::FILE* file = path != nullptr ? std::fopen(path, "w") : nullptr;
    if (file != nullptr) {
        std::fputs(violationJson(v).c_str(), file);
        std::fclose(file);
    }
    _exit(kBrokenRule);
}

void catchFaults() {
    stack_t stack{};
    stack.ss_sp = stackForSignals;
    stack.ss_size = sizeof stackForSignals;
    sigaltstack(&stack, nullptr);
    struct sigaction action {};
    action.sa_sigaction = onFault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (const int number : {SIGSEGV, SIGBUS, SIGABRT}) sigaction(number, &action, nullptr);
}

}  // namespace twin::direct
