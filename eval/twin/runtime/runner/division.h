// Integer division by zero, at which this processor stops and the device's goes on.
#ifndef TWIN_RUNNER_DIVISION_H
#define TWIN_RUNNER_DIVISION_H

namespace twin_host {

/// Steps over the division that raised SIGFPE in `context`, a ucontext_t. Its result is what nobody computed: quotient
/// 0 and the dividend as remainder, or with `otherValues` all bits set and 0. False when the instruction is no division
/// that it knows.
bool stepOverDivision(void* context, bool otherValues);

}  // namespace twin_host

#endif
