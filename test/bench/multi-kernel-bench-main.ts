/** An example that launches its kernel itself, by the functions that its header declares. */
export interface LaunchedExample {
  name: string
  inputs: 1 | 2
  types: ('float' | 'half' | 'int32')[]
  /** Of `a` and `b` as C++ computes it. */
  expression: string
}

/** A `main` that runs the example on lengths around those that its tiling divides by, and compares each element. */
export function mainOf({name, inputs, types, expression}: LaunchedExample): string {
  const places = inputs === 2 ? 'x, y, z' : 'x, z'
  const calls = types.map(
    (type) =>
      `    for (const int64_t n : lengths) failures += tried<${cppTypes[type]}>("${type}", launch_${name}_kernel_${type}, n);`,
  )
  return `#include "acl/acl.h"
#include "${name}_launch.h"
struct Half { aclFloat16 bits; };
static float valueOf(Half v) { return aclFloat16ToFloat(v.bits); }
template <class T> static T valueOf(T v) { return v; }
template <class T, class V> static void take(T& to, V v) {
    if constexpr (std::is_same_v<T, Half>) to.bits = aclFloatToFloat16(static_cast<float>(v));
    else to = static_cast<T>(v);
}
template <class T, class Launch>
static int tried(const char* type, Launch launch, int64_t n) {
    const size_t bytes = n * sizeof(T);
    std::vector<T> a(n), b(n), c(n);
    for (int64_t i = 0; i < n; ++i) { take(a[i], (i * 7 % 31) - 15); take(b[i], (i * 5 % 23) * 0.5f); }
    void *x = nullptr, *y = nullptr, *z = nullptr;
    for (void** one : {&x, &y, &z}) aclrtMalloc(one, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemcpy(x, bytes, a.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE);
    aclrtMemcpy(y, bytes, b.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE);
    const auto [blocks, share, tile] = calc_${name}_tiling_params(n);
    launch(${places}, n, blocks, share, static_cast<uint32_t>(tile), nullptr);
    aclrtMemcpy(c.data(), bytes, z, bytes, ACL_MEMCPY_DEVICE_TO_HOST);
    int64_t wrong = 0;
    for (int64_t i = 0; i < n; ++i) {
        const auto expected = [](auto a, auto b) { return ${expression}; }(valueOf(a[i]), valueOf(b[i]));
        T rounded;
        take(rounded, expected);
        wrong += !(valueOf(c[i]) == valueOf(rounded));
    }
    for (void* one : {x, y, z}) aclrtFree(one);
    if (wrong > 0) std::printf("%s, %lld elements: %lld wrong\\n", type, (long long)n, (long long)wrong);
    return wrong > 0;
}
int main() {
    aclInit(nullptr);
    aclrtSetDevice(0);
    int failures = 0;
    const int64_t lengths[] = {1, 1000, 1024 * 48, 500009};
${calls.join('\n')}
    return failures;
}
`
}

const cppTypes = {float: 'float', half: 'Half', int32: 'int32_t'} as const
