// A stand-in for the part of googletest that tests of a fetched checkout use. It judges nothing itself: every
// expectation is told as a line, `E <line of the test> <1 or 0>`, every set of parameters as `P <number>`, and every
// test as `C <suite>.<name> <status>`, where status is 0 or the signal or exit code that ended its process.
#ifndef CONFORMANCE_GTEST_H
#define CONFORMANCE_GTEST_H

#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace testing {
class Test {
public:
    virtual ~Test() = default;
    virtual void Body() {}
    void Run() {
        SetUp();
        Body();
        TearDown();
    }

protected:
    virtual void SetUp() {}
    virtual void TearDown() {}
};
template <typename T>
class WithParamInterface {
public:
    using ParamType = T;
    static const T*& Current() {
        static const T* current = nullptr;
        return current;
    }
    static const T& GetParam() { return *Current(); }
};
template <typename T>
class TestWithParam : public Test, public WithParamInterface<T> {};
template <typename T, typename... Rest>
std::vector<T> Values(T first, Rest... rest) { return {first, rest...}; }
}  // namespace testing

namespace stand_in {
/// Sets of parameters of a suite.
template <typename Suite>
std::vector<typename Suite::ParamType>& SetsOf() {
    static std::vector<typename Suite::ParamType> all;
    return all;
}
template <typename T>
bool Add(std::vector<T>& all, const std::vector<T>& more) {
    for (const T& one : more) all.push_back(one);
    return true;
}
struct Case {
    const char* suite;
    const char* name;
    void (*run)();
};
inline std::vector<Case>& Cases() {
    static std::vector<Case> cases;
    return cases;
}
struct Registered {
    Registered(const char* suite, const char* name, void (*run)()) { Cases().push_back({suite, name, run}); }
};
struct Sink {
    template <typename T>
    const Sink& operator<<(const T&) const { return *this; }
};
inline bool Note(int line, bool ok) {
    std::printf("E %d %d\n", line, ok ? 1 : 0);
    std::fflush(stdout);
    return ok;
}
inline bool SameFloat(double a, double b, double unit) { return std::fabs(a - b) <= 4 * unit * std::fmax(std::fabs(a), std::fabs(b)); }

/// How a test is run; set where it must be inside of something.
inline void (*around)(void (*run)()) = nullptr;
/// Runs each test in a process of its own, so that one which crashes ends alone.
inline int RunAll() {
    for (const Case& one : Cases()) {
        std::printf("B %s.%s\n", one.suite, one.name);
        std::fflush(stdout);
        const pid_t child = fork();
        if (child == 0) {
            alarm(20);
            around != nullptr ? around(one.run) : one.run();
            std::fflush(stdout);
            _exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        std::printf("\nC %s.%s %d\n", one.suite, one.name, WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
    }
    return 0;
}
}  // namespace stand_in

#define STAND_IN_TEST(Suite, Name, Base)                                                                    \
    class Suite##_##Name : public Base {                                                                    \
        void Body() override;                                                                               \
    };                                                                                                      \
    static void Run_##Suite##_##Name() { Suite##_##Name().Run(); }                                          \
    static stand_in::Registered registered_##Suite##_##Name(#Suite, #Name, Run_##Suite##_##Name);           \
    void Suite##_##Name::Body()
#define TEST(Suite, Name) STAND_IN_TEST(Suite, Name, testing::Test)
#define TEST_F(Suite, Name) STAND_IN_TEST(Suite, Name, Suite)

#define TEST_P(Suite, Name)                                                                                 \
    class Suite##_##Name : public Suite {                                                                   \
        void Body() override;                                                                               \
    };                                                                                                      \
    static void Run_##Suite##_##Name() {                                                                    \
        for (const auto& one : stand_in::SetsOf<Suite>()) {                                                 \
            Suite::Current() = &one;                                                                        \
            std::printf("P %td\n", &one - stand_in::SetsOf<Suite>().data());                                \
            Suite##_##Name().Run();                                                                         \
        }                                                                                                   \
    }                                                                                                       \
    static stand_in::Registered registered_##Suite##_##Name(#Suite, #Name, Run_##Suite##_##Name);           \
    void Suite##_##Name::Body()
#define INSTANTIATE_TEST_CASE_P(Prefix, Suite, ...) \
    static bool values_##Prefix##_##Suite = stand_in::Add(stand_in::SetsOf<Suite>(), __VA_ARGS__)
#define INSTANTIATE_TEST_SUITE_P INSTANTIATE_TEST_CASE_P

#define STAND_IN_EXPECT(ok) stand_in::Note(__LINE__, static_cast<bool>(ok)), stand_in::Sink()
#define EXPECT_EQ(a, b) STAND_IN_EXPECT((a) == (b))
#define EXPECT_NE(a, b) STAND_IN_EXPECT((a) != (b))
#define EXPECT_LT(a, b) STAND_IN_EXPECT((a) < (b))
#define EXPECT_LE(a, b) STAND_IN_EXPECT((a) <= (b))
#define EXPECT_GT(a, b) STAND_IN_EXPECT((a) > (b))
#define EXPECT_GE(a, b) STAND_IN_EXPECT((a) >= (b))
#define EXPECT_TRUE(a) STAND_IN_EXPECT(a)
#define EXPECT_FALSE(a) STAND_IN_EXPECT(!(a))
#define EXPECT_STREQ(a, b) STAND_IN_EXPECT(std::strcmp(a, b) == 0)
#define EXPECT_FLOAT_EQ(a, b) STAND_IN_EXPECT(stand_in::SameFloat(a, b, 1.2e-7))
#define EXPECT_NEAR(a, b, off) STAND_IN_EXPECT(std::fabs((a) - (b)) <= (off))

#define STAND_IN_ASSERT(ok)                                        \
    if (!stand_in::Note(__LINE__, static_cast<bool>(ok))) return; \
    else stand_in::Sink()
#define ASSERT_EQ(a, b) STAND_IN_ASSERT((a) == (b))
#define ASSERT_NE(a, b) STAND_IN_ASSERT((a) != (b))
#define ASSERT_TRUE(a) STAND_IN_ASSERT(a)
#define ASSERT_FALSE(a) STAND_IN_ASSERT(!(a))

#endif
