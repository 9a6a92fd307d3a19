// Tiling templates: a list of template parameters, the combinations that are built, and the tiling key that stands for
// each. Source: Ascend C utility API, tiling template programming. Host and kernel include the operator's file with the
// lists.
#ifndef TWIN_TILING_TEMPLATE_H
#define TWIN_TILING_TEMPLATE_H

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "graph/c_types.h"

#pragma clang force_cuda_host_device begin

namespace twin {

enum class TemplateKind : uint8_t {
    kDtype,
    kDatatype,
    kFormat,
    kUint,
    kBool,
    kKernelType,
    kSharedKernelType,
    kDeterministic
};
constexpr uint64_t kListMode = 1, kRangeMode = 2, kMixMode = 3;
/// A value that is the data type or format of an input, or of an output, whose number is in the low bits.
constexpr uint64_t kOfInput = 0x10000, kOfOutput = 0x20000;
constexpr size_t kMostValues = 64;
/// Kernels of the operator repositories have up to 20.
constexpr size_t kMostParams = 32;

constexpr bool SameName(const char* a, const char* b) {
    while (*a != 0 && *a == *b) ++a, ++b;
    return *a == *b;
}

/// One parameter and its values; of an unsigned one, ranges and lists are written out.
struct TemplateParam {
    constexpr TemplateParam() {}
    constexpr TemplateParam(const char* paramName, TemplateKind paramKind, uint8_t paramBits,
                            std::initializer_list<uint64_t> given)
        : name(paramName), kind(paramKind), bits(paramBits) {
        const uint64_t* at = given.begin();
        if (kind != TemplateKind::kUint) {
            for (; at != given.end(); ++at) Append(*at);
            return;
        }
        const uint64_t mode = at == given.end() ? kListMode : *at++;
        if (mode != kListMode && at != given.end()) {
            for (uint64_t ranges = *at++; ranges > 0 && given.end() - at >= 2; --ranges, at += 2) {
                for (uint64_t value = at[0]; value <= at[1]; ++value) Append(value);
            }
        }
        for (; mode != kRangeMode && at != given.end(); ++at) Append(*at);
    }
    constexpr void Append(uint64_t value) {
        if (count < kMostValues) values[count] = value;
        ++count;
    }
    /// Number of bits of the key, of which the position of the value, or a data type's number, takes its place.
    constexpr uint64_t CodeOf(uint64_t value) const {
        if (kind != TemplateKind::kUint) return value;
        for (size_t i = 0; i < count && i < kMostValues; ++i)
            if (values[i] == value) return i;
        return ~0ull;
    }
    const char* name = "";
    TemplateKind kind = TemplateKind::kBool;
    uint8_t bits = 0;
    uint64_t values[kMostValues] = {};
    size_t count = 0;
};

constexpr bool IsArgument(const TemplateParam& p) {
    return p.kind != TemplateKind::kKernelType && p.kind != TemplateKind::kDeterministic;
}

struct TemplateSelection {
    constexpr TemplateSelection(std::initializer_list<TemplateParam> given) {
        for (const TemplateParam& p : given)
            if (IsArgument(p) && size < kMostParams) params[size++] = p;
    }
    constexpr const TemplateParam* Find(const char* name) const {
        for (size_t i = 0; i < size; ++i)
            if (SameName(params[i].name, name)) return &params[i];
        return nullptr;
    }
    constexpr size_t Combinations() const {
        size_t n = 1;
        for (size_t i = 0; i < size; ++i) n *= params[i].count;
        return n;
    }
    TemplateParam params[kMostParams];
    size_t size = 0;
};

/// Values of one combination, in the order of the declaration.
struct TemplateValues {
    uint64_t values[kMostParams] = {};
    uint64_t key = 0;
};

template <size_t P>
constexpr uint64_t TemplateKey(const TemplateParam (&params)[P], const uint64_t* values) {
    uint64_t key = 0;
    unsigned shift = 0;
    for (size_t i = 0; i < P; ++i) {
        const unsigned bits = params[i].bits;
        const uint64_t code = params[i].CodeOf(values[i]);
        if (bits < 64 && code >> bits != 0) return ~0ull;
        key |= shift < 64 ? code << shift : 0;
        shift += bits;
    }
    return key;
}

template <size_t S>
constexpr size_t TemplateCombinations(const TemplateSelection (&selections)[S]) {
    size_t n = 0;
    for (const TemplateSelection& s : selections) n += s.Combinations();
    return n;
}

/// dtypes: of inputs, then outputs; `inputs` of them inputs.
template <size_t P, size_t S>
constexpr TemplateValues TemplateCombination(const TemplateParam (&params)[P], const TemplateSelection (&selections)[S],
                                             size_t index, const uint64_t* dtypes, size_t inputs) {
    size_t chosen = 0;
    while (index >= selections[chosen].Combinations()) index -= selections[chosen++].Combinations();
    TemplateValues result;
    for (size_t i = 0; i < P; ++i) {
        const TemplateParam* given = selections[chosen].Find(params[i].name);
        const TemplateParam& from = given == nullptr ? params[i] : *given;
        uint64_t value = from.values[given == nullptr ? 0 : index % from.count];
        if (given != nullptr) index /= from.count;
        if (value >= kOfOutput) value = dtypes[inputs + (value - kOfOutput)];
        else if (value >= kOfInput) value = dtypes[value - kOfInput];
        result.values[i] = value;
    }
    result.key = TemplateKey(params, result.values);
    return result;
}

/// A value for a key, of any type that numbers convert from.
struct TemplateKeyValue {
    template <typename T>
    constexpr TemplateKeyValue(T given) : value(static_cast<uint64_t>(given)) {}
    uint64_t value;
};
/// Key of the given values; ~0 when they are not among the declared ones or not as many, as the device's own encoder
/// has it. Values come as a list, which may end in a comma as in the SDK.
template <size_t P, size_t N>
uint64_t TemplateKeyOf(const TemplateParam (&params)[P], const TemplateKeyValue (&values)[N]) {
    if (N != P) return ~0ull;
    uint64_t all[P] = {};
    for (size_t i = 0; i < P; ++i) all[i] = values[i].value;
    return TemplateKey(params, all);
}

}  // namespace twin

#define ASCENDC_TPL_1_BW 1
#define ASCENDC_TPL_2_BW 2
#define ASCENDC_TPL_4_BW 4
#define ASCENDC_TPL_8_BW 8
#define ASCENDC_TPL_UI_LIST twin::kListMode
#define ASCENDC_TPL_UI_RANGE twin::kRangeMode
#define ASCENDC_TPL_UI_MIX twin::kMixMode
#define ASCENDC_TPL_INPUT(x) (twin::kOfInput + (x))
#define ASCENDC_TPL_OUTPUT(x) (twin::kOfOutput + (x))

#define ASCENDC_TPL_DTYPE_DECL(x, ...)                     \
    twin::TemplateParam {                                  \
#x, twin::TemplateKind::kDtype, 8, { __VA_ARGS__ } \
    }
#define ASCENDC_TPL_DATATYPE_DECL(x, ...)                     \
    twin::TemplateParam {                                     \
#x, twin::TemplateKind::kDatatype, 8, { __VA_ARGS__ } \
    }
#define ASCENDC_TPL_FORMAT_DECL(x, ...)                     \
    twin::TemplateParam {                                   \
#x, twin::TemplateKind::kFormat, 8, { __VA_ARGS__ } \
    }
#define ASCENDC_TPL_UINT_DECL(x, bw, ...)                  \
    twin::TemplateParam {                                  \
#x, twin::TemplateKind::kUint, bw, { __VA_ARGS__ } \
    }
#define ASCENDC_TPL_BOOL_DECL(x, ...)                     \
    twin::TemplateParam {                                 \
#x, twin::TemplateKind::kBool, 1, { __VA_ARGS__ } \
    }
#define ASCENDC_TPL_KERNEL_TYPE_DECL(x, ...)                          \
    twin::TemplateParam {                                             \
#x, twin::TemplateKind::kSharedKernelType, 8, { __VA_ARGS__ } \
    }
#define ASCENDC_TPL_DTYPE_SEL(x, ...)                      \
    twin::TemplateParam {                                  \
#x, twin::TemplateKind::kDtype, 8, { __VA_ARGS__ } \
    }
#define ASCENDC_TPL_DATATYPE_SEL(x, ...)                      \
    twin::TemplateParam {                                     \
#x, twin::TemplateKind::kDatatype, 8, { __VA_ARGS__ } \
    }
#define ASCENDC_TPL_FORMAT_SEL(x, ...)                      \
    twin::TemplateParam {                                   \
#x, twin::TemplateKind::kFormat, 8, { __VA_ARGS__ } \
    }
#define ASCENDC_TPL_UINT_SEL(x, ...)                      \
    twin::TemplateParam {                                 \
#x, twin::TemplateKind::kUint, 0, { __VA_ARGS__ } \
    }
#define ASCENDC_TPL_BOOL_SEL(x, ...)                      \
    twin::TemplateParam {                                 \
#x, twin::TemplateKind::kBool, 1, { __VA_ARGS__ } \
    }
#define ASCENDC_TPL_KERNEL_TYPE_SEL(...)                                   \
    twin::TemplateParam {                                                  \
        "kernel_type", twin::TemplateKind::kKernelType, 8, { __VA_ARGS__ } \
    }
#define ASCENDC_TPL_SHARED_KERNEL_TYPE_SEL(x, ...)                    \
    twin::TemplateParam {                                             \
#x, twin::TemplateKind::kSharedKernelType, 8, { __VA_ARGS__ } \
    }
#define ASCENDC_TPL_DETERMINISTIC_SEL(...)                                      \
    twin::TemplateParam {                                                       \
        "deterministic", twin::TemplateKind::kDeterministic, 1, { __VA_ARGS__ } \
    }
// The combination's structure is not chosen by it: kernels name theirs in GET_TILING_DATA_WITH_STRUCT.
#define ASCENDC_TPL_TILING_STRUCT_SEL(x, ...)                   \
    twin::TemplateParam {                                       \
        "tiling_struct", twin::TemplateKind::kKernelType, 0, {} \
    }
#define ASCENDC_TPL_ARGS_DECL(op, ...) \
    [[maybe_unused]] static constexpr twin::TemplateParam twin_template_params[] = {__VA_ARGS__}
#define ASCENDC_TPL_ARGS_SEL(...) \
    twin::TemplateSelection { __VA_ARGS__ }
// Where tilings are compiled the SDK drops the selections (template_argument.h of asc-devkit, without ASCENDC_DEBUG),
// so names that nothing declares pass there.
#ifdef __CCE_AICORE__
#define ASCENDC_TPL_SEL(...) \
    [[maybe_unused]] static constexpr twin::TemplateSelection twin_template_selections[] = {__VA_ARGS__}
#else
#define ASCENDC_TPL_SEL(...)
#endif
#define GET_TPL_TILING_KEY(...) twin::TemplateKeyOf(twin_template_params, {__VA_ARGS__})
#define ASCENDC_TPL_SEL_PARAM(context, ...) \
    do { (context)->SetTilingKey(GET_TPL_TILING_KEY(__VA_ARGS__)); } while (0)

// Kinds of kernel that a combination runs as.
enum : uint64_t {
    ASCENDC_TPL_AIV_ONLY = 1,
    ASCENDC_TPL_AIC_ONLY,
    ASCENDC_TPL_MIX_AIV_1_0,
    ASCENDC_TPL_MIX_AIC_1_0,
    ASCENDC_TPL_MIX_AIC_1_1,
    ASCENDC_TPL_MIX_AIC_1_2,
    ASCENDC_TPL_AICORE,
    ASCENDC_TPL_VECTORCORE,
    ASCENDC_TPL_MIX_AICORE,
    ASCENDC_TPL_MIX_VECTOR_CORE
};

#pragma clang force_cuda_host_device end
#endif
