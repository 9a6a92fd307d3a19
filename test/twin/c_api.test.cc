// The C API: functions on arrays of UB, against what their pages print and say.
#include "on_device.h"
#include "c_api/asc_simd.h"

namespace {

/// Kernel on two inputs and one output of T; gives the rule it broke.
template <typename T, typename Body>
std::string Kernel(std::vector<T> x, std::vector<T> y, std::vector<T>* z, Body body) {
    const auto bytes = [](const std::vector<T>& values) { return static_cast<uint64_t>(values.size() * sizeof(T)); };
    return RuleBroken({{"x", twin::Role::kInput, reinterpret_cast<uint8_t*>(x.data()), bytes(x)},
                       {"y", twin::Role::kInput, reinterpret_cast<uint8_t*>(y.data()), bytes(y)},
                       {"z", twin::Role::kOutput, reinterpret_cast<uint8_t*>(z->data()), bytes(*z)}},
                      [&](uint8_t** args) {
                          asc_init();
                          body(reinterpret_cast<__gm__ T*>(args[0]), reinterpret_cast<__gm__ T*>(args[1]),
                               reinterpret_cast<__gm__ T*>(args[2]));
                      });
}

template <typename T>
std::vector<T> Counting(size_t count, T first = T(1), T step = T(1)) {
    std::vector<T> values;
    for (size_t i = 0; i < count; ++i) values.push_back(static_cast<T>(first + static_cast<T>(i) * step));
    return values;
}

void Elementwise() {
    const auto x = Counting<float>(100), y = Counting<float>(100, 3, -0.5f);
    std::vector<float> z(100), sum;
    for (size_t i = 0; i < 100; ++i) sum.push_back(x[i] + y[i]);
    const std::string rule = Kernel<float>(x, y, &z, [](auto x, auto y, auto z) {
        twin::UbArray<float[104]> a, b, c;
        asc_copy_gm2ub_align_sync(a, x, 400);
        asc_copy_gm2ub_align_sync(b, y, 400);
        asc_add_sync(c, a, b, 100);
        asc_copy_ub2gm_align_sync(z, c, 400);
    });
    Expect("asc_add by count breaks no rule", rule.empty(), rule);
    ExpectSame("asc_add by count", z, sum);
}

void MaskAfterCount() {
    // Counter mode ends with the call, and the count stays in the mask register: 3 is bits 0 and 1.
    const std::vector<float> x = Counting<float>(64);
    std::vector<float> z(64, -1);
    const std::string rule = Kernel<float>(x, x, &z, [](auto x, auto, auto z) {
        twin::UbArray<float[64]> a, c;
        asc_copy_gm2ub_sync(a, x, 256);
        asc_duplicate_sync(c, 0.0f, 64);
        asc_duplicate_sync(c, 5.0f, 3);
        asc_mul(c, a, a, 1, 1, 1, 1, 8, 8, 8);
        asc_sync();
        asc_copy_ub2gm_sync(z, c, 256);
    });
    std::vector<float> expected(64, 0);
    expected[0] = 1, expected[1] = 4, expected[2] = 5;
    Expect("a call by repeats behind one by count breaks no rule", rule.empty(), rule);
    ExpectSame("a call by repeats behind one by count takes the count for its mask", z, expected);
}

void Reductions() {
    const auto x = Counting<float>(128);
    std::vector<float> z(16 + 64 + 8 + 8, 0);
    float value = 0;
    uint32_t index = 0;
    const std::string rule = Kernel<float>(x, x, &z, [&](auto x, auto, auto z) {
        twin::UbArray<float[128]> a;
        twin::UbArray<float[16]> b;
        twin::UbArray<float[64]> p;
        twin::UbArray<float[8]> t, s;
        asc_copy_gm2ub_sync(a, x, 512);
        asc_datablock_reduce_max(b, a, 2, 1, 1, 8);
        asc_pair_reduce_sum(p, a, 2, 1, 1, 8);
        asc_duplicate(t, 0.0f, 8);
        asc_duplicate(s, 0.0f, 8);
        asc_repeat_reduce_min_value_index(t, a, 128);
        asc_repeat_reduce_sum(s, a, 65);
        asc_repeat_reduce_max_only_value(s + 4, a, 128);
        asc_get_reduce_max_cnt(value, index);
        asc_sync();
        asc_copy_ub2gm_sync(z, b, 64);
        asc_copy_ub2gm_sync(z + 16, p, 256);
        asc_copy_ub2gm_sync(z + 80, t, 32);
        asc_copy_ub2gm_sync(z + 88, s, 32);
    });
    Expect("reductions break no rule", rule.empty(), rule);
    std::vector<float> expected;
    for (int i = 1; i <= 16; ++i) expected.push_back(static_cast<float>(8 * i));
    for (int i = 0; i < 64; ++i) expected.push_back(static_cast<float>(4 * i + 3));
    for (const float one : {1.0f, 0.0f, 65.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f}) expected.push_back(one);
    for (const float one : {2080.0f, 65.0f, 0.0f, 0.0f, 64.0f, 128.0f, 0.0f, 0.0f}) expected.push_back(one);
    ExpectSame("reductions of blocks, pairs and repeats", z, expected);
    Expect("asc_get_reduce_max_cnt gives value and index over all repeats", value == 128 && index == 127,
           std::to_string(value) + " at " + std::to_string(index));
}

void Atomics() {
    std::vector<int16_t> z(32, 4);
    const auto x = Counting<int16_t>(32);
    const auto copied = [&](auto set) {
        return Kernel<int16_t>(x, x, &z, [&](auto x, auto, auto z) {
            twin::UbArray<int16_t[32]> a;
            asc_copy_gm2ub_sync(a, x, 64);
            set();
            asc_copy_ub2gm_sync(z, a, 64);
            asc_set_atomic_none();
        });
    };
    const std::string rule = copied([] { asc_set_atomic_max_int16(); });
    std::vector<int16_t> larger, added;
    for (const int16_t one : x) larger.push_back(std::max<int16_t>(one, 4));
    Expect("an atomic copy breaks no rule", rule.empty(), rule);
    ExpectSame("asc_set_atomic_max_int16", z, larger);
    copied([] { asc_set_atomic_add_int16(); });
    for (size_t i = 0; i < x.size(); ++i) added.push_back(static_cast<int16_t>(larger[i] + x[i]));
    ExpectSame("asc_set_atomic_add_int16", z, added);
    const std::string left = Kernel<int16_t>(x, x, &z, [](auto, auto, auto) { asc_set_atomic_min_int(); });
    Expect("an atomic mode that stays on is told", left == "atomic-left-on", left);
}

void Rules() {
    const auto x = Counting<float>(64);
    std::vector<float> z(64);
    const auto broken = [&](auto body) { return Kernel<float>(x, x, &z, body); };
    const std::string unordered = broken([](auto x, auto, auto) {
        twin::UbArray<float[64]> a;
        asc_copy_gm2ub(a, x, 256);
        asc_exp(a, a, 64);
    });
    Expect("nothing orders asc_copy_gm2ub and asc_exp", unordered == "pipe-hazard", unordered);
    const std::string ordered = broken([](auto x, auto, auto z) {
        twin::UbArray<float[64]> a;
        asc_copy_gm2ub(a, x, 256);
        asc_sync_notify(PIPE_MTE2, PIPE_V, EVENT_ID0);
        asc_sync_wait(PIPE_MTE2, PIPE_V, EVENT_ID0);
        asc_exp(a, a, 64);
        asc_sync_notify(PIPE_V, PIPE_MTE3, EVENT_ID0);
        asc_sync_wait(PIPE_V, PIPE_MTE3, EVENT_ID0);
        asc_copy_ub2gm(z, a, 1, 8, 0, 0);
    });
    Expect("events order them", ordered.empty(), ordered);
    const std::string odd = broken([](auto x, auto, auto) {
        twin::UbArray<float[64]> a;
        asc_copy_gm2ub_sync(a, x, 100);
    });
    Expect("a copy of 100 bytes loses its rest", odd == "unaligned-copy", odd);
    const std::string over = broken([](auto x, auto, auto) {
        twin::UbArray<float[32]> a;
        twin::UbArray<float[32]> behind;
        asc_copy_gm2ub_sync(a, x, 256);
    });
    Expect("a copy over the end of an array", over == "out-of-buffer", over);
    const std::string unwritten = broken([](auto, auto, auto z) {
        twin::UbArray<float[64]> a;
        asc_copy_ub2gm_sync(z, a, 256);
    });
    Expect("an array that nobody wrote reaches GM", unwritten == "read-unwritten", unwritten);
    const std::string large = broken([](auto, auto, auto) { twin::UbArray<float[49153]> a; });
    Expect("an array over the end of UB", large == "ub-overflow", large);
    const std::string twice = broken([](auto, auto, auto) {
        for (int i = 0; i < 2; ++i) twin::UbArray<float[40000]> a;
    });
    Expect("an array of a loop takes the same memory each time", twice.empty(), twice);
}

void Stores() {
    const auto x = Counting<float>(8);
    std::vector<float> z(8);
    const std::string subscript = Kernel<float>(x, x, &z, [](auto, auto, auto z) {
        twin::UbArray<float[8]> a;
        for (int i = 0; i < 8; ++i) a[i] = static_cast<float>(i);
        asc_sync();
        asc_copy_ub2gm_sync(z, a, 32);
    });
    Expect("stores by subscript count", subscript.empty() && z[7] == 7, subscript);
    const std::string pointer = Kernel<float>(x, x, &z, [](auto, auto, auto z) {
        twin::UbArray<float[8]> a;
        __ubuf__ float* p = a;
        for (int i = 0; i < 8; ++i) p[i] = static_cast<float>(i + 1);
        asc_sync();
        asc_copy_ub2gm_sync(z, a, 32);
    });
    Expect("stores by a pointer count", pointer.empty() && z[7] == 8, pointer);
}

}  // namespace

int main() {
    Elementwise();
    MaskAfterCount();
    Reductions();
    Atomics();
    Rules();
    Stores();
    return Finish();
}
