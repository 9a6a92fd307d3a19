// A test program's counting, and a way to run a lambda as a kernel.
#ifndef TWIN_TEST_EXPECT_H
#define TWIN_TEST_EXPECT_H

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "../../eval/twin/runtime/device/report.h"
#include "kernel_operator.h"
#include "twin/block_local.h"
#include "twin/launch.h"

inline int passed_ = 0, failed_ = 0;

inline void Expect(const std::string& name, bool ok, const std::string& seen = "") {
    ok ? ++passed_ : ++failed_;
    std::printf("%s %s%s%s\n", ok ? "ok" : "not ok", name.c_str(), ok || seen.empty() ? "" : ": ",
                ok ? "" : seen.c_str());
}

/// Compares bit by bit and shows the first difference.
template <typename T>
void ExpectSame(const std::string& name, const std::vector<T>& seen, const std::vector<T>& expected) {
    size_t i = 0;
    while (i < expected.size() && i < seen.size() && std::memcmp(&seen[i], &expected[i], sizeof(T)) == 0) ++i;
    const bool same = i == expected.size() && seen.size() == expected.size();
    Expect(name, same,
           same || i >= seen.size()
               ? "size"
               : "element " + std::to_string(i) + " is " + std::to_string(static_cast<double>(seen[i])) +
                     ", expected " + std::to_string(static_cast<double>(expected[i])));
}

struct Broke {
    twin::Violation violation;
};

inline std::function<void(uint8_t**)> kernel_;
inline void Enter(uint8_t** args) {
    twin::EnterKernel();
    kernel_(args);
}

inline twin::LaunchReport Run(std::vector<twin::GmArg> args, std::function<void(uint8_t**)> kernel, uint32_t blocks = 1,
                              bool reverse = false) {
    twin::onViolation = [](const twin::Violation& v) { throw Broke{v}; };
    kernel_ = std::move(kernel);
    return twin::Launch({blocks, 0, reverse, std::move(args)}, Enter);
}

/// Prints the first violation of each situation, and of each set of values that one hands over.
inline void ShowSeen(const twin::Violation& v) {
    static std::set<std::string> shown;
    std::string kind = v.seen.situation;
    for (const auto& [name, value] : v.seen.values) kind += " " + name;
    if (!v.seen.situation.empty() && shown.insert(kind).second)
        std::printf("seen %s\n", twin::violationJson(v).c_str());
}

/// The rule that the last launch broke, with what it said of it.
inline twin::Violation told_;

/// The rule that a launch breaks, "" when none; with TWIN_SHOW set, the whole violation is printed.
inline std::string RuleOfLaunch(const std::function<void()>& launch) {
    twin::onViolation = [](const twin::Violation& v) { throw Broke{v}; };
    told_ = {};
    try {
        launch();
    } catch (const Broke& broke) {
        const auto& v = told_ = broke.violation;
        ShowSeen(v);
        if (std::getenv("TWIN_SHOW") != nullptr)
            std::printf("# %s | %s | %s | %s | %s\n", v.rule.c_str(), v.api.c_str(), v.tensor.c_str(),
                        v.message.c_str(), v.fix.c_str());
        return v.rule;
    }
    return "";
}

/// The rule that the kernel breaks, "" when none.
inline std::string RuleBroken(std::vector<twin::GmArg> args, std::function<void(uint8_t**)> kernel, uint32_t blocks = 1,
                              bool reverse = false) {
    return RuleOfLaunch([&] { Run(std::move(args), std::move(kernel), blocks, reverse); });
}

inline int Finish() {
    std::printf("%d passed, %d failed\n", passed_, failed_);
    return failed_ == 0 ? 0 : 1;
}

/// The rule that ends a launch, or after "past " what a tolerant one went past; "" when none.
inline std::string Outcome(std::vector<twin::GmArg> args, std::function<void(uint8_t**)> kernel, bool tolerant) {
    twin::onViolation = [](const twin::Violation& v) { throw Broke{v}; };
    kernel_ = std::move(kernel);
    twin::LaunchSpec spec{1, 0, false, std::move(args)};
    spec.tolerant = tolerant;
    try {
        const std::string rule = twin::Launch(spec, Enter).tolerated.rule;
        return rule.empty() ? "" : "past " + rule;
    } catch (const Broke& broke) { return broke.violation.rule; }
}

#endif
