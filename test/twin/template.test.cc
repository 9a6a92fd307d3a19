// Kernels that are templates, called by tiling key.
#include "expect.h"
#include "twin/template_entry.h"

using namespace AscendC;

ASCENDC_TPL_ARGS_DECL(Scale, ASCENDC_TPL_DATATYPE_DECL(D_T, C_DT_FLOAT, C_DT_FLOAT16, ASCENDC_TPL_INPUT(0)),
                      ASCENDC_TPL_UINT_DECL(FACTOR, ASCENDC_TPL_8_BW, ASCENDC_TPL_UI_MIX, 2, 0, 2, 5, 6, 40, 30),
                      ASCENDC_TPL_BOOL_DECL(NEGATE, 0, 1), );
ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_KERNEL_TYPE_SEL(ASCENDC_TPL_AIV_ONLY),
                                     ASCENDC_TPL_DATATYPE_SEL(D_T, ASCENDC_TPL_INPUT(0)),
                                     ASCENDC_TPL_UINT_SEL(FACTOR, ASCENDC_TPL_UI_RANGE, 1, 1, 2),
                                     ASCENDC_TPL_BOOL_SEL(NEGATE, 0, 1)),
                ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_KERNEL_TYPE_SEL(ASCENDC_TPL_AIV_ONLY),
                                     ASCENDC_TPL_DATATYPE_SEL(D_T, ASCENDC_TPL_INPUT(0)),
                                     ASCENDC_TPL_UINT_SEL(FACTOR, ASCENDC_TPL_UI_LIST, 40),
                                     ASCENDC_TPL_BOOL_SEL(NEGATE, 1)), );

/// As many parameters as the largest kernel of the operator repositories has.
namespace many {
ASCENDC_TPL_ARGS_DECL(Many, ASCENDC_TPL_BOOL_DECL(P0, 0, 1), ASCENDC_TPL_BOOL_DECL(P1, 0, 1),
                      ASCENDC_TPL_BOOL_DECL(P2, 0, 1), ASCENDC_TPL_BOOL_DECL(P3, 0, 1), ASCENDC_TPL_BOOL_DECL(P4, 0, 1),
                      ASCENDC_TPL_BOOL_DECL(P5, 0, 1), ASCENDC_TPL_BOOL_DECL(P6, 0, 1), ASCENDC_TPL_BOOL_DECL(P7, 0, 1),
                      ASCENDC_TPL_BOOL_DECL(P8, 0, 1), ASCENDC_TPL_BOOL_DECL(P9, 0, 1),
                      ASCENDC_TPL_BOOL_DECL(P10, 0, 1), ASCENDC_TPL_BOOL_DECL(P11, 0, 1),
                      ASCENDC_TPL_BOOL_DECL(P12, 0, 1), ASCENDC_TPL_BOOL_DECL(P13, 0, 1),
                      ASCENDC_TPL_BOOL_DECL(P14, 0, 1), ASCENDC_TPL_BOOL_DECL(P15, 0, 1),
                      ASCENDC_TPL_BOOL_DECL(P16, 0, 1), ASCENDC_TPL_BOOL_DECL(P17, 0, 1),
                      ASCENDC_TPL_BOOL_DECL(P18, 0, 1),
                      ASCENDC_TPL_UINT_DECL(P19, ASCENDC_TPL_2_BW, ASCENDC_TPL_UI_LIST, 0, 1), );
ASCENDC_TPL_SEL(
    ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_BOOL_SEL(P0, 1), ASCENDC_TPL_BOOL_SEL(P1, 1), ASCENDC_TPL_BOOL_SEL(P2, 1),
                         ASCENDC_TPL_BOOL_SEL(P3, 1), ASCENDC_TPL_BOOL_SEL(P4, 1), ASCENDC_TPL_BOOL_SEL(P5, 1),
                         ASCENDC_TPL_BOOL_SEL(P6, 1), ASCENDC_TPL_BOOL_SEL(P7, 1), ASCENDC_TPL_BOOL_SEL(P8, 1),
                         ASCENDC_TPL_BOOL_SEL(P9, 1), ASCENDC_TPL_BOOL_SEL(P10, 1), ASCENDC_TPL_BOOL_SEL(P11, 1),
                         ASCENDC_TPL_BOOL_SEL(P12, 1), ASCENDC_TPL_BOOL_SEL(P13, 1), ASCENDC_TPL_BOOL_SEL(P14, 1),
                         ASCENDC_TPL_BOOL_SEL(P15, 1), ASCENDC_TPL_BOOL_SEL(P16, 1), ASCENDC_TPL_BOOL_SEL(P17, 1),
                         ASCENDC_TPL_BOOL_SEL(P18, 1), ASCENDC_TPL_UINT_SEL(P19, ASCENDC_TPL_UI_LIST, 0, 1)), );
constexpr twin::TemplateValues kLast =
    twin::TemplateCombination(twin_template_params, twin_template_selections, 1, nullptr, 0);
}  // namespace many

namespace {

float seen_ = 0;
bool half_ = false;

template <typename D_T, int FACTOR, bool NEGATE>
void Kernel(uint8_t**) {
    seen_ = NEGATE ? -FACTOR : FACTOR;
    half_ = std::is_same_v<D_T, half>;
}

constexpr uint64_t kDtypes[] = {C_DT_FLOAT16};
template <size_t N>
struct Call {
    static constexpr twin::TemplateValues kValues =
        twin::TemplateCombination(twin_template_params, twin_template_selections, N, kDtypes, 1);
    static constexpr uint64_t kKey = kValues.key;
    static void Run(uint8_t** args) {
        Kernel<typename twin::TypeOfNumber<kValues.values[0]>::type, static_cast<int>(kValues.values[1]),
               static_cast<bool>(kValues.values[2])>(args);
    }
};
void Entry(uint8_t** args) {
    twin::CallCombination<Call>(args, std::make_index_sequence<twin::TemplateCombinations(twin_template_selections)>());
}

std::string Launch(uint64_t key) {
    seen_ = 0;
    return RuleOfLaunch([&] { twin::Launch({1, key, false, {}}, Entry); });
}

}  // namespace

int main() {
    Expect("ranges and lists make seven values", twin_template_params[1].count == 7 &&
                                                     twin_template_params[1].values[4] == 6 &&
                                                     twin_template_params[1].values[5] == 40);
    Expect("five combinations are built", twin::TemplateCombinations(twin_template_selections) == 5);
    Expect("a key calls its combination",
           Launch(GET_TPL_TILING_KEY(C_DT_FLOAT16, 2, false)).empty() && seen_ == 2 && half_);
    Expect("another key, another", Launch(GET_TPL_TILING_KEY(C_DT_FLOAT16, 40, 1)).empty() && seen_ == -40);
    Expect("tiling-key: declared and not selected",
           Launch(GET_TPL_TILING_KEY(C_DT_FLOAT16, 40, 0)) == "tiling-key" && seen_ == 0);
    Expect("tiling-key: not declared", Launch(GET_TPL_TILING_KEY(C_DT_FLOAT16, 7, 0)) == "tiling-key");
    Expect("tiling-key: another data type than the input's",
           Launch(GET_TPL_TILING_KEY(C_DT_FLOAT, 2, 0)) == "tiling-key");
    Expect("tiling-key: fewer values than parameters", GET_TPL_TILING_KEY(C_DT_FLOAT16, 2) == ~0ull);
    Expect("keys follow the declaration's bits", GET_TPL_TILING_KEY(C_DT_FLOAT16, 40, 1) == (1u | 5u << 8 | 1u << 16));
    Expect("twenty parameters make a key",
           many::kLast.values[19] == 1 && many::kLast.values[16] == 1 && many::kLast.key == (1u << 20) - 1);
    return Finish();
}
