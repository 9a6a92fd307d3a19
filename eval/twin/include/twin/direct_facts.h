// What is told of a program that launches its kernels. Each such program compiles this anew, so it includes next to
// nothing.
#ifndef TWIN_DIRECT_FACTS_H
#define TWIN_DIRECT_FACTS_H

#include <cstddef>

namespace twin::direct {

/// What a kernel declares of itself, read off its text (eval/executors/direct-launch.ts).
struct KernelFact {
    const char* name;
    int cores;               // twin::Cores
    const char* parameters;  // names, separated by commas
};
/// `soc`: the chip that the program runs on.
bool Describe(const KernelFact* facts, size_t count, const char* soc);

}  // namespace twin::direct

#endif
