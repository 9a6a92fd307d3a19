// Launching a kernel by the tiling key of its template parameters.
#include "core.h"
#include "twin/template_entry.h"

namespace twin {

void NoSuchTilingKey(uint64_t key) {
    core().account.api = "launch";
    Broken("tiling-key", "",
           Text("tiling key 0x%llx stands for no combination in ASCENDC_TPL_SEL", static_cast<unsigned long long>(key)),
           "give GET_TPL_TILING_KEY values of a combination that ASCENDC_TPL_SEL lists, in the order of "
           "ASCENDC_TPL_ARGS_DECL");
}

}  // namespace twin
